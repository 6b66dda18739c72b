from argentum.web.pages.renderer import PageRenderer

PAINTER = PageRenderer()
NAMES = ["Ann", "Bo", "Cy"]
