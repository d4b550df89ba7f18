"""The example catalogue and persona, and the word lists the package reads language with."""
