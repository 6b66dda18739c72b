import re
from pathlib import Path

PAGE = Path("docs/architecture.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`((?:[\w-]+/)+(?:[\w.-]+\.\w+)?)`", PAGE)))


def test_every_path_on_the_page_exists() -> None:
    assert len(PATHS) > 50
    missing = [path for path in PATHS if not (Path(path).exists() or Path("src/argentum", path).exists())]
    assert not missing
