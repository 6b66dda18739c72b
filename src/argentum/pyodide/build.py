"""Write the static pages and compile templates and modules. `tools/build_static.mjs` runs this in Pyodide."""

import compileall
from pathlib import Path
from py_compile import PycInvalidationMode
from zipfile import ZIP_DEFLATED, ZipFile

from jinja2 import BaseLoader, ChoiceLoader, PackageLoader

from argentum.pyodide.asgi import COMPILED_TEMPLATES
from argentum.pyodide.urls import relative_urls
from argentum.web.pages import assets
from argentum.web.pages.renderer import PageRenderer
from argentum.web.site import home_context

DATA_SUFFIXES = (".pyc", ".toml", ".json")
NEEDS_SOURCE = ("anyio",)  # its packages inspect their own source for lazy imports


def template_loader() -> BaseLoader:
    """Return a loader of this package's templates, which extend the server's."""
    return ChoiceLoader([PackageLoader("argentum.pyodide"), PackageLoader("argentum.web")])


def write_pages(folder: Path) -> None:
    """Write the landing page, rules, privacy, credits, an empty table page and the icons."""
    root = PageRenderer(template_loader(), relative_urls("./"))
    subdirectory = PageRenderer(template_loader(), relative_urls("../"))
    pages = {
        "index.html": root.page("pyodide_home.html", open_tables=[], **home_context()),
        "rules/index.html": subdirectory.rules_page(),
        "privacy/index.html": subdirectory.page("privacy.html", limits=None, settings=None),
        "about/index.html": subdirectory.page("pyodide_about.html", authors=assets.icon_authors()),
        "table/index.html": subdirectory.table_shell("", "pyodide_shell.html"),
        "deck/all.svg": assets.icon_sheet(assets.ALL_RESIDENTS),
    }
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def compile_templates() -> None:
    """Compile the templates to Python modules, which load faster than their sources."""
    PageRenderer(template_loader(), relative_urls("../")).templates.compile_templates(
        COMPILED_TEMPLATES, zip=None, log_function=lambda _: None
    )


def write_archive(source: Path, archive: Path, optimize: int = 1) -> None:
    """Write a ZIP archive of compiled modules and data files. `optimize=2` drops docstrings."""
    compileall.compile_dir(
        source, quiet=1, legacy=True, optimize=optimize, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
    )
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(source.rglob("*")):
            name = path.relative_to(source)
            if path.suffix in DATA_SUFFIXES or (name.parts[0] in NEEDS_SOURCE and path.name == "__init__.py"):
                packed.write(path, name)
