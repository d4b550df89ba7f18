"""What looks are called, English and Chinese, and the colours meant: shared by all that read."""
