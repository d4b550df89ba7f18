"""Settings of the property tests here."""

from hypothesis import settings

# How long an example takes says nothing on a busy machine.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
