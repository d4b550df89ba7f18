"""Benchmarks over the whole of Vivant, as a caller sees it; the commands `vivant bench …`."""
