"""SREdit: instructions become atomic operations; candidates are drawn and the best is kept."""
