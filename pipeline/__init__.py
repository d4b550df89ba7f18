"""The engines: graph, channels, turns, media clock, sessions, model assets, measurements."""
