"""Vivant's client SDK: hold a conversation with a digital human, see `docs/python-sdk.md`."""
