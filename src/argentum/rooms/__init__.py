"""Tables with their players, bots, clocks and logs, independent of HTTP and HTML."""
