from argentum.web.pages.renderer import PageRenderer

RENDERER = PageRenderer()
NAMES = ["Ann", "Bo", "Cy"]
