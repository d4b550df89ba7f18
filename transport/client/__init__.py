"""The client SDK: conversations with a Vivant server over its Realtime WebSocket.

Needs numpy, pydantic and websockets alone. Its users write `import vivant`.
"""
