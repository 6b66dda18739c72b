"""Full-screen terminal interface, built on Textual."""
