"""Tests of the operations brain."""
