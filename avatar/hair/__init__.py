"""Hair: styles as sheets and locks of strands."""

from avatar.hair.hairlines import covers_ears, hairline

__all__ = ["covers_ears", "hairline"]
