"""StreamingTalk: co-speech gestures made chunk by chunk, for ever, at a fixed cost.

`schedule` says how noisy each chunk of the window is, `net` is the network, `stream` runs it,
`training` teaches it.
"""
