"""Renderers: poses in, pictures out."""

from avatar.renderer.base import Picture, Renderer, Size

__all__ = ["Picture", "Renderer", "Size"]
