"""How what viewers do on any platform comes into a room, and how a log of it comes in again."""
