"""The pages of the web server: values for the templates, rendering, and comparison with what browsers show."""
