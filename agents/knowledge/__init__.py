"""Documents the host may draw on, found by words and by meaning, in four collections."""
