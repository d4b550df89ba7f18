"""What outlives the process, in SQLite or PostgreSQL."""
