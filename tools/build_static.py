"""Build the static edition: `python tools/build_static.py FOLDER`. Needs Node.js with npm, and `npm ci`.

Pyodide is installed with npm. The Python packages are copied from this environment, without compiled modules.
"""

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path
from zipfile import ZipFile

from argentum.web.pages import assets

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "argentum"
PYODIDE_VERSION = "314.0.7"
RUNTIME_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
ARGENTUM_PACKAGES = (
    "bots",
    "display",
    "observations",
    "pyodide",
    "records",
    "review",
    "rooms",
    "rulebook",
    "rules",
    "web",
    "words",
)
DEPENDENCIES = ("anyio", "idna", "jinja2", "markupsafe", "starlette", "typing_extensions")
SUFFIXES = (".py", ".toml", ".html", ".json")
# Files whose sizes the progress bar needs.
MEASURED_FILES = ("pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "python.zip")
SERVER_FILES = ("manifest.webmanifest", "service_worker.js", "offline.js", "home.js")  # only the server needs these
SCRIPTS = ("js/base.js", "pyodide/home.js", "pyodide/table.js")  # of pages; each is bundled with what it imports
MAX_DOWNLOAD_BYTES = 15 * 1024 * 1024  # compressed


def fetch_pyodide(folder: Path) -> Path:
    """Install Pyodide with npm, unless this version is already installed; return its folder."""
    package_folder = folder / "node_modules" / "pyodide"
    package = package_folder / "package.json"
    if not package.exists() or json.loads(package.read_text())["version"] != PYODIDE_VERSION:
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
        subprocess.run([*command, "--prefix", str(folder), f"pyodide@{PYODIDE_VERSION}"], check=True)
    return package_folder


def copy_python(folder: Path) -> None:
    """Copy the sources of this project's modules and of their dependencies, without compiled modules."""
    for path in [*SOURCE.glob("*.py"), *[path for part in ARGENTUM_PACKAGES for path in (SOURCE / part).rglob("*")]]:
        if path.suffix in SUFFIXES:
            _copy(path, folder / "argentum" / path.relative_to(SOURCE))
    for package in DEPENDENCIES:
        for name in files(package) or ():
            if name.suffix == ".py" and ".." not in name.parts:
                _copy(Path(str(name.locate())), folder / name)


def unpack_library(pyodide: Path, folder: Path) -> None:
    """Unpack the standard library, which Pyodide ships as source. Compiling it later halves the start-up time."""
    with ZipFile(pyodide / "python_stdlib.zip") as archive:
        archive.extractall(folder)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def write_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy_files(pyodide: Path, folder: Path) -> None:
    """Copy Pyodide, and the static files of the web server and the static edition; write the style sheets of pages."""
    shutil.copytree(SOURCE / "web" / "static", folder / "static", ignore=shutil.ignore_patterns("css", *SERVER_FILES))
    for name in assets.page_style_sheets():
        write_file(folder / "static" / "css" / name, assets.style_sheet(name))
    shutil.copytree(SOURCE / "pyodide" / "static", folder / "static" / "pyodide")
    for name in RUNTIME_FILES:
        _copy(pyodide / name, folder / "pyodide" / name)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text())
    # The lock file lists no packages, because none are loaded.
    (folder / "pyodide" / "pyodide-lock.json").write_text(json.dumps({**lock, "packages": {}}))
    (folder / ".nojekyll").touch()  # makes GitHub Pages serve the files unchanged


def bundle_scripts(folder: Path) -> None:
    """Bundle the scripts of pages with the tools that are pinned in package-lock.json."""
    command = ["node", str(ROOT / "tools" / "bundle_scripts.mjs"), str((folder / "static").resolve()), *SCRIPTS]
    subprocess.run(command, check=True)


def write_service_worker(folder: Path) -> None:
    """Write the service worker, with a list of all files and a hash of their contents as its version.

    Also write `sizes.json` for the progress bar.
    """
    sizes = {Path(name).name: (folder / name).stat().st_size for name in MEASURED_FILES}
    (folder / "sizes.json").write_text(json.dumps(sizes))
    script = folder / "static" / "pyodide" / "service-worker.js"
    text = script.read_text(encoding="utf-8")
    script.unlink()
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    names = [name for name in names if name != ".nojekyll"]
    sums = "".join([hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names])
    version = hashlib.sha256((sums + text).encode()).hexdigest()[:16]
    text = text.replace("@VERSION@", version).replace('["@FILES@"]', json.dumps(names, indent=2))
    (folder / "service-worker.js").write_text(text, encoding="utf-8")


def download_size(folder: Path) -> int:
    """Return the total size of the files in bytes, each compressed with gzip, as most hosts send them."""
    return sum([len(gzip.compress(path.read_bytes(), 6)) for path in folder.rglob("*") if path.is_file()])


def main(folder: Path) -> None:
    """Build the static edition from scratch; raise SystemExit if Node.js is missing or the result is too large."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise SystemExit("The static edition is built with Node.js and npm, which are not installed here.")
    if not (ROOT / "node_modules").is_dir():
        raise SystemExit("The tools that bundle scripts are not installed: run `npm ci`, or `make static`.")
    work = folder.parent / "static-work"
    library, modules = work / "library", work / "python"
    for output in (folder, library, modules):
        shutil.rmtree(output, ignore_errors=True)
    folder.mkdir(parents=True)
    pyodide = fetch_pyodide(work)
    unpack_library(pyodide, library)
    copy_python(modules)
    copy_files(pyodide, folder)
    bundle_scripts(folder)
    script = str(ROOT / "tools" / "build_static.mjs")
    subprocess.run(["node", script, *[str(path.resolve()) for path in (pyodide, library, modules, folder)]], check=True)
    write_service_worker(folder)
    size = download_size(folder)
    print(f"The static edition is in {folder}: {size / 1e6:.1f} MB to download, compressed.")  # noqa: T201
    if size > MAX_DOWNLOAD_BYTES:
        raise SystemExit("That is too large: see MAX_DOWNLOAD_BYTES in tools/build_static.py.")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/static"))
