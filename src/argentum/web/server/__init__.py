"""The web server process: protocols, admission of connections, logs."""
