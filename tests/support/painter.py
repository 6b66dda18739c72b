from argentum.rooms.room import Room
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import HtmlReader, PageState

PAINTER = PageRenderer()
NAMES = ["Ann", "Bo", "Cy"]


def page_updates(room: Room, role: str, key: str, page: PageState) -> list[str]:
    """Messages for a browser in this state."""
    reader = HtmlReader(PAINTER, room)
    reader.page = page
    return reader.page_updates(room, role, key)
