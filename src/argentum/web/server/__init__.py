"""The web server process: protocols, connection limits, logs."""
