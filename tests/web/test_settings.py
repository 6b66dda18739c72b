"""Settings from a file, the environment and options."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from argentum.cli import main
from argentum.rooms.limits import Limits
from argentum.web.settings import RENAMED, BadSetting, Settings, read_settings
from tests.support.server import free_port


def test_options_override_the_environment_and_it_overrides_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('max_tables = 7\nmessage_rate = 2.5\npublic_url = "https://silver.example"\nlog_addresses = true\n')
    limits, settings = read_settings(
        str(file), {"ARGENTUM_MAX_TABLES": "8", "ARGENTUM_MESSAGE_BURST": "9", "HOME": "x"}, {"message_burst": 10}
    )
    assert (limits.max_tables, limits.message_rate, limits.message_burst) == (8, 2.5, 10)
    assert (settings.public_url, settings.log_addresses) == ("https://silver.example", True)
    assert read_settings(None, {}) == (Limits(), Settings())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tabels = 7", "There is no setting 'tabels'"),
        ('max_tables = "many"', "max_tables is a number, not 'many'"),
        ("max_tables = -1", "max_tables is a number from 0 up"),
        ('public_url = "silver.example"', "public_url is an address such as https://"),
        ('public_url = "https://[x"', "public_url is an address such as https://"),
        ("log_addresses = 3", "log_addresses is true or false"),
        ("max_tables = ", "is not a TOML file"),
    ],
)
def test_an_invalid_setting_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(BadSetting, match=re.escape(message)):
        read_settings(str(file), {})


def test_old_names_of_settings_are_accepted_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("tables = 7\nlines = 80\nunread_seconds = 5.0\n")
    limits, settings = read_settings(str(file), {"ARGENTUM_SEER_PROCESSES": "2"})
    assert (limits.max_tables, limits.max_connections, limits.write_timeout) == (7, 80, 5.0)
    assert settings.search_processes == 2
    assert len(caplog.messages) == 4
    assert "The setting lines is now called max_connections" in caplog.text


def test_every_old_name_is_read_from_a_file() -> None:
    file = Path(__file__).parent / "old_settings.toml"
    assert tomllib.loads(file.read_text(encoding="utf-8")).keys() == RENAMED.keys()
    limits, settings = read_settings(str(file), {})
    assert settings == Settings(search_processes=26)
    assert limits == Limits(
        max_tables=2,
        new_tables_prefix_burst=3,
        new_tables_prefix_rate=4.5,
        new_tables_total_burst=5,
        new_tables_total_rate=6.5,
        empty_table_minutes=7.5,
        lobby_hours=8.5,
        idle_table_hours=9.5,
        grace_minutes=10.5,
        startup_grace_minutes=11.5,
        max_connections_per_seat=12,
        max_spectators_per_address=13,
        max_connections=14,
        max_connections_per_address=15,
        reserved_connections=16,
        header_timeout=17.5,
        body_timeout=18.5,
        write_timeout=19.5,
        message_burst=20,
        message_rate=21.5,
        frame_burst=22,
        frame_rate=23.5,
        max_fragments=24,
    )


def test_all_old_names_refer_to_settings() -> None:
    known = {field.name for group in (Limits, Settings) for field in fields(group)}
    assert set(RENAMED.values()) <= known
    assert not set(RENAMED) & known


@pytest.mark.parametrize("source", ["file", "environment", "option"])
@pytest.mark.parametrize("name", ["workers", "internal_address", "inner_address"])
def test_a_removed_setting_is_refused_with_a_hint(tmp_path: Path, name: str, source: str) -> None:
    file = tmp_path / "settings.toml"
    value = 2 if name == "workers" else "10.0.0.5:8500"
    file.write_text(f"{name} = {value!r}\n" if source == "file" else "")
    environment = {f"ARGENTUM_{name.upper()}": str(value)} if source == "environment" else {}
    overrides = {name: value} if source == "option" else {}
    with pytest.raises(BadSetting, match=f"{name} is not a setting any more") as refusal:
        read_settings(str(file), environment, overrides)
    heading = re.search("docs/hosting.md.*`(.*)`", str(refusal.value))
    assert heading is not None
    assert f"\n## {heading[1]}\n" in (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_one_worker_is_still_accepted(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("workers = 1\n")
    assert read_settings(str(file), {"ARGENTUM_WORKERS": "1"}, {"workers": 1}) == (Limits(), Settings())


@pytest.mark.parametrize("option", ["--workers=2", "--internal-address=10.0.0.5", "--inner-address=10.0.0.5"])
def test_a_removed_option_is_refused_with_a_hint(tmp_path: Path, option: str) -> None:
    command = ["serve", "--host", "127.0.0.1", "--port", str(free_port()), "--database", str(tmp_path / "tables.db")]
    result = CliRunner().invoke(main, [*command, option])
    assert result.exit_code == 2
    assert "is not a setting any more" in result.output
    assert "docs/hosting.md" in result.output


def test_a_setting_with_both_names_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("tables = 7\nmax_tables = 8\n")
    with pytest.raises(BadSetting, match="tables is the old name of max_tables"):
        read_settings(str(file), {})


def test_an_option_with_zero_overrides_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Limits] = []
    monkeypatch.setattr("argentum.commands.serve.check_address", lambda host, port: None)
    monkeypatch.setattr("argentum.web.server.run.serve", lambda *arguments: served.append(arguments[6]))
    for options, days in (([], 30), (["--keep-days", "0"], 0)):
        result = CliRunner().invoke(main, ["serve", *options], env={"ARGENTUM_KEEP_DAYS": "30"})
        assert (result.exit_code, served.pop().keep_days) == (0, days)
