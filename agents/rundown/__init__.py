"""The running order of a live room: what is said when, written by hand or drafted from a shop."""
