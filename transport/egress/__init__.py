"""Egress: a session's output to RTMP, HLS and MP4, each in a process of its own."""
