"""Data of the benchmarks."""
