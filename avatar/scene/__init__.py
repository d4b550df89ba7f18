"""What is around the figure: backdrops behind it, and cards, captions and marks over it."""
