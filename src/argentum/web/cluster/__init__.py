"""Several servers with one database."""
