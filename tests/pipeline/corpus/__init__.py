"""Tests of the corpus."""
