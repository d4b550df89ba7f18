"""Rooms: modelled from boxes and turned shapes, with the light baked into their vertices."""
