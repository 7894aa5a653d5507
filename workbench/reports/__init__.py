"""Reports on audits: heat maps, one-file HTML, text for the terminal. Qt-free."""
