"""Hair: styles as sheets and locks of strands."""
