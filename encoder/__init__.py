"""What comes in becomes text: voice activity, end of turn, speech recognition.

A leaf package: samples in, small frozen dataclasses out.
"""
