"""What advertising may not say, in English and Mandarin, and what viewers' names become."""
