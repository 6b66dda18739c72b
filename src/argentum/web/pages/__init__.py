"""The web server's pages: values for the templates, rendering, changed parts."""
