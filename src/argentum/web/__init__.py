"""The web server: pages, WebSockets, and the connection to other servers on one database."""
