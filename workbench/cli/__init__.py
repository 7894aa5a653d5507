"""The command line: one module per command family, imported only when its command is asked for."""
