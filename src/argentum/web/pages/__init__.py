"""Pages of the web server."""
