"""Makes identities: from sliders, from a sentence, and from a photo (`avatar.creation.photo`)."""
