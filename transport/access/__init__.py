"""Who may do what: keys, short-lived tokens, limits, and the record of administrative acts."""
