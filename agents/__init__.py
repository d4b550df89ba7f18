"""What to say and do: language models, the host, grounding, the catalogue.

A leaf package: text in, clauses out.
"""
