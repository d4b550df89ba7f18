"""Tests of StreamingTalk."""
