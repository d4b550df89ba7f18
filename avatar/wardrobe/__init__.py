"""The wardrobe: garments cut from one form, and what is worn beside them."""
