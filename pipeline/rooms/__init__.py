"""Live rooms: a session that speaks a rundown, its viewers, its decisions, and what is kept."""
