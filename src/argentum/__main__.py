"""Run the command line: `python -m argentum`."""

from argentum.cli import main

main(prog_name="argentum")
