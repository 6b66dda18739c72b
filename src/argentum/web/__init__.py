"""The web server: pages, WebSockets, and the cluster of servers on one database."""
