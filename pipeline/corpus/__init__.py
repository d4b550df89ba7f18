"""The corpus gestures and lips are learnt from: scripts, spoken, and set in motion.

Nothing that pairs speech with motion is licensed for this use, so it is made: a grammar writes
what hosts say, the voices that ship speak it with words and phones in time, and a choreographer
moves a body to it. Everything follows from one seed.
"""
