"""The talking mouth: from phones where a voice tells them (`track`), from sound alone where not.

`visemes` says which shape a phone asks for, `net` hears shapes in any voice, `stream` runs it
beside the sound, `training` teaches it and `deciding` says how sure it must be of a contact,
`closure` measures whether lips meet when they must.
"""
