from collections.abc import Iterator

import pytest

from argentum.display.errors import Refused
from argentum.rooms.names import TABLE_NAME, clean_name
from tests.support.server import Server


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("public")
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), stderr=stderr)
        server.options = ("--bot-pause", "0", "--public-url", f"http://127.0.0.1:{server.port}")
        server.start()
        yield server
        server.stop()


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u0301", "Ann\u3164", "\u115f", "\u00ad"])
def test_invisible_names_are_refused(name: str) -> None:
    with pytest.raises(Refused):
        clean_name(name)


@pytest.mark.parametrize("name", ["Ann", "Zoë", "王", "Ω 3", "🦊"])
def test_visible_names_are_accepted(name: str) -> None:
    assert clean_name(name) == name


def test_table_names_are_hard_to_guess(public_server: Server) -> None:
    names = {public_server.new_table("/tables")[0] for _ in range(5)}
    assert all([TABLE_NAME.fullmatch(name) and len(name.rsplit("-", 1)[1]) == 6 for name in names])
