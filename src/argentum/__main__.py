"""`python -m argentum` is the command line."""

from argentum.cli import main

main(prog_name="argentum")
