"""The SDK as its users have it: with a server, installed, in examples."""
