"""MkDocs hooks: add fonts, logo and changelog to the site, and link labels to their rulings."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from argentum.rulebook.lookup import RULING_SECTIONS, rulings
from docs_pages import link

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src" / "argentum" / "web" / "static"
LABEL = re.compile(rf"[{''.join(RULING_SECTIONS)}]\d+")
CITATION = re.compile(rf"\({LABEL.pattern}(?:(?:, | to | and ){LABEL.pattern})*\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the fonts with their licences, the logo and the changelog."""
    for path in sorted((STATIC / "fonts").iterdir()):
        files.append(File.generated(config, f"fonts/{path.name}", abs_src_path=str(path)))
    files.append(File.generated(config, "changelog.md", abs_src_path=str(ROOT / "CHANGELOG.md")))
    files.append(File.generated(config, "moon.svg", abs_src_path=str(STATIC / "favicon.svg")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Link the labels cited in brackets on the pages of the rules."""
    if not page.file.src_uri.startswith("rules/"):
        return markdown
    return CITATION.sub(lambda match: LABEL.sub(_link_label, match[0]), markdown)


def _link_label(label: re.Match[str]) -> str:
    return link(label[0]) if label[0] in rulings() else label[0]
