"""TODO."""

from argentum.web.pages.renderer import Painter

PAINTER = Painter()
NAMES = ["Ann", "Bo", "Cy"]
