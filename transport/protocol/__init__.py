"""The events of the wire, as pydantic models: the one source of checks, JSON Schema and pages."""
