"""Live rooms over HTTP: what operators set, see and say, and what viewers' platforms bring."""
