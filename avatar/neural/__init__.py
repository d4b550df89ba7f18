"""Diffusion backends, for those with a GPU and weights: clips after poses, and their loading."""
