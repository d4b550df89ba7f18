"""Who it is and how it looks and sounds: identity, wardrobe, scene, voice, renderers.

A leaf package; of motion it knows only the skeleton, the rotations and `Pose`.
"""
