"""Renderers: poses in, pictures out."""

from avatar.renderer.base import Handle, Picture, Renderer, Size

__all__ = ["Handle", "Picture", "Renderer", "Size"]
