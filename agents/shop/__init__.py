"""A merchant's goods: what is sold, at what price, and what may be said of it."""
