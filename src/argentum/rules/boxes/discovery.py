# mypyc: compile
"""Find boxes of other packages and files, and check them.

A package registers its box by an entry point of the group `argentum.boxes`; files are listed in the environment
variable `ARGENTUM_BOXES`, which worker processes inherit; its value `none` leaves out packages too. A box with an error
is left out, with a warning.
"""

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from string import ascii_lowercase
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeAlias
from warnings import warn

from argentum.rules.residents import RESIDENTS_PER_BOX, RULE_LETTERS, Box

ENTRY_POINT_GROUP: Final = "argentum.boxes"
BOX_FILES_VARIABLE: Final = "ARGENTUM_BOXES"  # paths, separated as in PATH
NO_BOXES: Final = "none"  # a value of this variable
BOX_ATTRIBUTE: Final = "BOX"  # name of the box in a file
DIGEST_LENGTH: Final = 8
MAX_NAME_LENGTH: Final = 20
MAX_BOXES: Final = 18  # because an observation has a resident of any box in one byte
METADATA_SUFFIXES: Final = (".dist-info", ".egg-info")
RESERVED_NAMES: Final = ("random", "all")
# Imports a box; returns it with the module whose source is its rules.
BoxLoader: TypeAlias = "Callable[[], tuple[object, ModuleType]]"


class BoxWarning(UserWarning):
    """A box was left out, or its rules have changed since a game was saved."""


class BoxError(ValueError):
    """A box that cannot be used; the message says why."""


class RejectedBox(NamedTuple):
    """A box that was left out."""

    source: str  # the path of its file, or the value of its entry point
    reason: str


class FoundBoxes(NamedTuple):
    boxes: list[Box]
    rejected: list[RejectedBox]


def load_foreign_boxes(published: tuple[Box, ...]) -> FoundBoxes:
    """Return the boxes of other packages and files in the order of their letters, and those that were left out."""
    boxes: list[Box] = []
    rejected: list[RejectedBox] = []
    if os.environ.get(BOX_FILES_VARIABLE) == NO_BOXES:
        return FoundBoxes(boxes, rejected)
    for source, load in [*_entry_points(), *_files()]:
        try:
            box = _load_box(load, [*published, *boxes])
            box.source = source
            boxes.append(box)
        except Exception as error:  # An error in the code of others must not stop Argentum.
            reason = str(error) if isinstance(error, BoxError) else f"{type(error).__name__}: {error}"
            rejected.append(RejectedBox(source, reason))
            warn(f"the box of {source} was left out: {reason}", BoxWarning, stacklevel=2)
    return FoundBoxes(sorted(boxes, key=lambda box: box.letter), rejected)


def _load_box(load: BoxLoader, others: list[Box]) -> Box:
    box, module = load()
    if not isinstance(box, Box):
        raise BoxError(f"{box!r} is not a Box")
    box.fill_from_base(RESIDENTS_PER_BOX)
    check_box(box, others)
    box.digest = digest_of(module)
    return box


def _entry_points() -> "Iterator[tuple[str, BoxLoader]]":
    if not _is_any_registered():
        return
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: (entry.name, entry.value)):

        def load(name: str = entry.value) -> "tuple[object, ModuleType]":
            module_name, _, attribute = name.partition(":")
            if getattr(getattr(sys.modules.get(module_name), "__spec__", None), "_initializing", False):
                raise BoxError(f"{module_name} was imported first: import argentum.rules.boxes before it")
            module = import_module(module_name)
            return getattr(module, attribute or BOX_ATTRIBUTE), module

        yield f"{entry.name} ({entry.value})", load


def _is_any_registered() -> bool:
    """Whether an installed package has an entry point for a box.

    `importlib.metadata` answers this too, but importing it takes half as long as all of `import argentum`.
    """
    header = f"[{ENTRY_POINT_GROUP}]".encode()
    for folder in sys.path:
        try:
            paths = [entry.path for entry in os.scandir(folder or ".") if entry.name.endswith(METADATA_SUFFIXES)]
        except OSError:
            continue
        for path in paths:
            try:
                with open(f"{path}/entry_points.txt", "rb") as file:  # noqa: PTH123, because pathlib is slow to import
                    if header in file.read():
                        return True
            except OSError:  # The package has no entry points.
                continue
    return False


def _files() -> "Iterator[tuple[str, BoxLoader]]":
    for path in os.environ.get(BOX_FILES_VARIABLE, "").split(os.pathsep):
        if path:

            def load(path: str = path) -> "tuple[object, ModuleType]":
                module = load_file(path)
                if not hasattr(module, BOX_ATTRIBUTE):
                    raise BoxError(f"the file has no variable {BOX_ATTRIBUTE} with the box")
                return getattr(module, BOX_ATTRIBUTE), module

            yield path, load


def load_file(path: str) -> ModuleType:
    """Import a Python file that is in no package."""
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    if not Path(path).is_file():
        raise BoxError("there is no such file")
    name = f"argentum_box_{Path(path).stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BoxError("this is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def check_box(box: Box, others: list[Box]) -> None:
    """Raise `BoxError` if a box is incomplete or has the name or letter of another box."""
    title = f"box {box.name!r}"
    is_name = 2 <= len(box.name) <= MAX_NAME_LENGTH and not set(box.name) - set(ascii_lowercase)
    if not is_name or box.name in RESERVED_NAMES:
        raise BoxError(
            f"{title}: a name has 2 to {MAX_NAME_LENGTH} letters from a to z, and is not {' or '.join(RESERVED_NAMES)}"
        )
    if len(box.letter) != 1 or box.letter not in ascii_lowercase or box.letter.upper() in RULE_LETTERS:
        raise BoxError(f"{title}: its letter is {box.letter!r}, but must be one from a to z other than g and x")
    for other in others:
        if box.name == other.name:
            raise BoxError(f"{title}: there is another box with this name")
        if box.letter == other.letter:
            raise BoxError(f"{title}: its letter {box.letter!r} belongs to the box {other.name!r}")
    if len(others) >= MAX_BOXES:
        raise BoxError(f"{title}: there are {MAX_BOXES} boxes already")
    if box.base is not None and box.base not in others:
        raise BoxError(f"{title}: its base {box.base.name!r} is not a registered box")
    if len(box.residents) != RESIDENTS_PER_BOX:
        raise BoxError(
            f"{title} has {len(box.residents)} residents, but must have {RESIDENTS_PER_BOX}, or a base for the others"
        )
    if not box.own_labels:
        raise BoxError(f"{title} has no resident or token of its own")
    if box.has_token:
        if not box.token_name or not box.token_text:
            raise BoxError(f"{title}: its token has no name or no text")
    elif box.base is None:
        raise BoxError(f"{title} has no token: it needs a token ability, or a base whose token it uses")


def digest_of(module: ModuleType) -> str:
    """Return a digest of the source of a module, or of all modules of a package."""
    from hashlib import sha256
    from pathlib import Path

    source = Path(module.__file__ or "")
    files = sorted(source.parent.rglob("*.py")) if hasattr(module, "__path__") else [source]
    digest = sha256()
    for file in files:
        digest.update(file.relative_to(source.parent).as_posix().encode() + b"\0")
        digest.update(file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:DIGEST_LENGTH]


def load_extension(box: Box, source: object, attribute: str) -> "dict[str, Any]":
    """Return the texts or ability models of a box by label; empty if it has none.

    `source` is the name of a module that has the dictionary `attribute`, a function that returns the dictionary, or
    None. If loading fails, warn and return an empty dictionary, so that the layer above uses its defaults.
    """
    if source is None:
        return {}
    try:
        entries = getattr(import_module(source), attribute) if isinstance(source, str) else source()  # type: ignore[operator]
        return dict(entries)
    except Exception as error:
        if not box.digest:  # a published box
            raise
        warn(
            f"the box {box.name!r} is used without its {attribute}: {type(error).__name__}: {error}",
            BoxWarning,
            stacklevel=2,
        )
        return {}
