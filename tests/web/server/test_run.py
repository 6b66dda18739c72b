"""The default database, and a server with a TLS certificate."""

import asyncio
import ssl
import subprocess
from collections.abc import Iterator
from http.client import HTTPSConnection
from pathlib import Path

import pytest
from click.testing import CliRunner
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from websockets.asyncio.client import connect

from argentum.cli import main
from argentum.web.server import run
from tests.support.server import TIMEOUT, ProtocolClient, Server, free_port


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Set an empty home folder, and return it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("platform", "folder"), [(Unix, ".local/share/argentum"), (MacOS, "Library/Application Support/argentum")]
)
def test_the_default_database_is_in_the_folder_of_the_platform_for_user_data(
    home: Path, monkeypatch: pytest.MonkeyPatch, platform: type[Unix | MacOS], folder: str
) -> None:
    monkeypatch.setattr(run, "user_data_path", lambda name, **options: platform(name, **options).user_data_path)
    assert run.default_database() == str(home / folder / "tables.db")
    assert (home / folder).is_dir()


def test_a_database_in_the_folder_of_linux_stays_in_use_on_every_platform(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "user_data_path", lambda name, **options: MacOS(name, **options).user_data_path)
    file = home / ".local" / "share" / "argentum" / "tables.db"
    file.parent.mkdir(parents=True)
    file.touch()
    assert run.default_database() == str(file)


def test_the_data_folder_of_the_environment_has_the_default_database(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    assert run.default_database() == str(home / "data" / "argentum" / "tables.db")


def create_certificate(folder: Path, name: str = "one") -> tuple[Path, Path]:
    """Create a self-signed certificate for this machine; return the files of certificate and key."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
    ]
    subprocess.run([*command, "-keyout", str(key), "-out", str(cert), *subject], check=True, capture_output=True)
    return cert, key


@pytest.fixture(scope="module")
def tls_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, ssl.SSLContext]]:
    folder = tmp_path_factory.mktemp("tls")
    cert, key = create_certificate(folder)
    options = ("--bot-pause", "0", "--tls-cert", str(cert), "--tls-key", str(key))
    with (folder / "stderr").open("w+b") as stderr:
        server = Server(str(folder / "tables.db"), options, stderr=stderr)
        server.start()
        yield server, ssl.create_default_context(cafile=str(cert))
        server.stop()


def test_pages_and_websockets_work_with_tls(tls_server: tuple[Server, ssl.SSLContext]) -> None:
    server, context = tls_server
    connection = HTTPSConnection("127.0.0.1", server.port, timeout=TIMEOUT, context=context)
    connection.request("GET", "/")
    page = connection.getresponse()
    assert (page.status, b"Argentum" in page.read()) == (200, True)
    connection.request("POST", "/play", "bots=1", {"Origin": f"https://127.0.0.1:{server.port}"})
    response = connection.getresponse()
    assert response.status == 303
    name, _, key = response.headers["Location"].removeprefix("/table/").partition("#")
    connection.close()

    async def play() -> None:
        origin = f"https://127.0.0.1:{server.port}"
        async with connect(f"wss://127.0.0.1:{server.port}/socket", ssl=context, origin=origin) as socket:  # type: ignore[arg-type]
            client = ProtocolClient(socket)
            await client.send(type="join", table=name, key=key)
            await client.next_update()
            await client.send_move("peek A1 A2")
            while client.state["view"]["villages"]["A"][0]["number"] is None:
                await client.receive()

    asyncio.run(asyncio.wait_for(play(), TIMEOUT))


def test_requests_without_tls_are_refused(tls_server: tuple[Server, ssl.SSLContext]) -> None:
    server, _ = tls_server
    with pytest.raises((OSError, ConnectionError)):
        server.request("/")


def test_an_unsuitable_tls_key_is_explained(tmp_path: Path) -> None:
    cert, _ = create_certificate(tmp_path)
    _, other = create_certificate(tmp_path, "two")
    command = ["serve", "--host", "127.0.0.1", "--port", "1", "--database", str(tmp_path / "tables.db")]
    alone = CliRunner().invoke(main, [*command, "--tls-key", str(other)])
    assert (alone.exit_code, "tls_key needs tls_cert" in alone.output) == (2, True)
    wrong = CliRunner().invoke(
        main, [*command[:4], str(free_port()), *command[5:], "--tls-cert", str(cert), "--tls-key", str(other)]
    )
    assert (wrong.exit_code, "does not fit" in wrong.output) == (2, True), wrong.output
