"""The ready hosts, a JSON document each."""
