"""The HTTP application, the console page and the command line."""
