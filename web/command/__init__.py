"""The command line: `vivant serve`, `talk`, `say`, `avatar`, `motion`, `models` and `bench`."""

from web.command.main import main

__all__ = ["main"]
