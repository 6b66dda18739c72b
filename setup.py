"""The compiled build, and the description for package indexes. All else is in pyproject.toml.

mypyc compiles the rules, what plays by the thousand, and what is shown at every move. A build from source tries that,
and falls back to plain Python where it cannot be done. ARGENTUM_COMPILE=1 makes a failure an error, ARGENTUM_COMPILE=0
leaves compiling out.
"""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

INTERPRETED = {"move.py"}  # a subclass of int
LOOKING_AHEAD = ("guessing", "prospects", "quick", "search")  # of the bots
# What is made for each reader of a table at every move: the log, what is asked and offered, the scene, the pieces sent.
IN_WORDS = ("accounts", "chronicle", "effects", "entries", "general", "hands", "holdings", "labels", "moment")
IN_WORDS += ("prompts", "seating", "telling", "turns", "waiting", "windows")
SHOWN = ("tableside/recall", "tableside/scene", "tableside/sitting", "tableside/telling", "tableside/traces")
SHOWN += ("tableside/updates", "web/parts", "web/pieces", "web/sheets")
SIDE_BY_SIDE = ("actions", "batch_games", "history", "observation", "playing", "rewards")  # of the environments
WISH = os.environ.get("ARGENTUM_COMPILE", "")
# Within the library, calls from file to file need no table of symbols; nor do small functions need a call.
DIRECT = ["-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt", "-finline-small-functions"]
# What is at work in every move is optimized more, and as a whole with mypyc's own library: a gain of a twentieth to a
# tenth for a few seconds. For all of it, that would double the compiler's time.
AT_WORK = ("rules___asking", "rules___engine", "rules___exchange", "rules___notation", "rules___table", "rules___turns")
AT_WORK += ("rules___views", "tableside___recall", "tableside___scene", "tableside___sitting", "tableside___telling")
AT_WORK += ("tableside___traces", "tableside___updates", "web___parts", "web___pieces", "web___sheets", "bots___quick")
AT_WORK += ("dict_ops", "float_ops", "generic_ops", "getargsfast", "int_ops", "list_ops", "misc_ops", "str_ops")
AT_WORK += ("tuple_ops",)
CORES = os.cpu_count() or 1


def compiled_modules() -> list[str]:
    """The modules for mypyc: the rules, and of the rest those that play by the thousand or are asked at every move."""
    source = Path("src/argentum")
    whole = [*source.glob("rules/**/*.py"), *source.glob("words/residents/*.py")]
    bots = [source / "bots" / f"{name}.py" for name in LOOKING_AHEAD]
    envs = [source / "envs" / f"{name}.py" for name in SIDE_BY_SIDE]
    words = [source / "words" / f"{name}.py" for name in IN_WORDS]
    shown = [source / f"{name}.py" for name in SHOWN]
    return sorted([str(path) for path in [*whole, *bots, *envs, *words, *shown] if path.name not in INTERPRETED])


def encoder() -> Extension:
    """The encoder of the batch engine, in C. Any build tries it; one that need not be compiled goes on without it."""
    return Extension("argentum.envs._encode", ["src/argentum/envs/_encode.c"], optional=WISH != "1")


class Compile(build_ext):
    """Compiles a C file for each module, on all cores. The modules stay one library: calls between them are direct."""

    def finalize_options(self) -> None:
        """Use all cores."""
        super().finalize_options()
        self.parallel = CORES

    def get_source_files(self) -> list[str]:
        """Nothing beyond the package, which is packed anyway, the encoder's C with it."""
        return []

    def _translated(self) -> list[Extension]:
        if WISH != "1" and (self.inplace or self.editable_mode):
            return []  # whoever changes the source does not wait for a compiler
        try:
            from mypyc.build import mypycify

            # Symbols for debuggers would double the compiler's time and gain nothing.
            made = mypycify(["--strict", *compiled_modules()], opt_level="1", debug_level="0", multi_file=True)
        except (Exception, SystemExit) as error:
            self._give_up(error)
            return []
        if sys.platform != "win32":
            for one in made:
                one.extra_compile_args = [*one.extra_compile_args, *DIRECT]
        return list(made)

    def run(self) -> None:
        """Translate and compile; if that fails, leave no half of it, but the encoder."""
        where = self.inplace, self.editable_mode
        try:
            self._build([*self._translated(), encoder()], *where)
        except Exception as error:
            self._give_up(error)
            for made in self.get_outputs():
                Path(made).unlink(missing_ok=True)
            self._build([encoder()], *where)

    def _build(self, extensions: list[Extension], inplace: bool, editable_mode: bool) -> None:
        self.distribution.ext_modules = extensions
        self.initialize_options()  # the extensions are other ones now
        self.inplace, self.editable_mode = inplace, editable_mode
        self.finalize_options()
        super().run()

    def _give_up(self, error: BaseException) -> None:
        if WISH == "1":
            raise error
        print(f"Argentum is built as plain Python, which plays the same but slower: {error}", file=sys.stderr)  # noqa: T201

    def build_extensions(self) -> None:
        """Let each C file be compiled by itself."""
        one_by_one = self.compiler.compile
        # Only gcc is sure to come with a linker for that.
        as_a_whole = "gcc" in Path(getattr(self.compiler, "compiler_so", [""])[0]).name
        if as_a_whole:
            for one in self.extensions:
                one.extra_link_args = [*one.extra_link_args, f"-flto={CORES}"]

        def compiled(source: str, *args: Any, extra_postargs: list[str], **kwargs: Any) -> list[str]:
            more = ["-O2", "-flto"] if as_a_whole and Path(source).stem.endswith(AT_WORK) else []
            return one_by_one([source], *args, extra_postargs=[*extra_postargs, *more], **kwargs)

        def side_by_side(sources: list[str], *args: Any, **kwargs: Any) -> list[str]:
            with ThreadPoolExecutor(CORES) as cores:
                found = cores.map(lambda one: compiled(one, *args, **kwargs), sources)
                return [made for some in found for made in some]

        self.compiler.compile = side_by_side  # type: ignore[method-assign]
        super().build_extensions()


def repository() -> str:
    """Where the source is: GitHub says so to its own builds. A build elsewhere names no address."""
    server, name = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
    return f"{server}/{name}" if server and name else ""


def description(where: str) -> str:
    """The README with links that lead to the repository; without one, pictures are left out and links are only text."""
    text = Path("README.md").read_text(encoding="utf-8")
    if not where:
        text = re.sub(r"(?m)^(?:!\[[^\]]*\]\(docs/|<p><img src=\"docs/|<img src=\"docs/).*\n", "", text)
        return re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)", r"\1", text)
    text = re.sub(r'(!\[[^\]]*\]\(|src=")(?=docs/)', rf"\g<1>{where}/raw/HEAD/", text)
    return re.sub(r"(?<!\!)(\[[^\]]+\]\()(?!https?:|#)(?=[^)]+\))", rf"\g<1>{where}/blob/HEAD/", text)


def addresses(where: str) -> dict[str, str]:
    """The links beside the description."""
    if not where:
        return {}
    pages = {
        "Source": "",
        "Documentation": "/tree/HEAD/docs",
        "Issues": "/issues",
        "Changelog": "/blob/HEAD/CHANGELOG.md",
    }
    return {name: where + page for name, page in pages.items()}


setup(
    long_description=description(repository()),
    long_description_content_type="text/markdown",
    project_urls=addresses(repository()),
    ext_modules=[] if WISH == "0" else [Extension("argentum", [])],  # what is compiled is known when it is translated
    cmdclass={"build_ext": Compile},
)
