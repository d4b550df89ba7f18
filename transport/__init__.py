"""The wire: WebRTC, the Realtime events, the client."""
