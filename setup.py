"""The compiled build, and the description for package indexes. All else is in pyproject.toml.

mypyc compiles the rules, what plays by the thousand, and what is shown at every move. A build from source tries that,
and falls back to plain Python where it cannot be done. ARGENTUM_COMPILE=1 makes a failure an error, ARGENTUM_COMPILE=0
leaves compiling out.
"""

import ast
import os
import re
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from inspect import cleandoc
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError

INTERPRETED = {"move.py"}  # a subclass of int
LOOKING_AHEAD = ("deal_sampler", "win_probability", "playout_policy", "racing")  # of the bots
# What is made for each reader of a table at every move: the log, what is asked and offered, the scene, the pieces sent.
IN_WORDS = ("log/*", "prompts/*", "context", "buttons", "player_names", "english", "advice")
SHOWN = ("display/scene", "display/scene_builder", "display/seat_memory", "display/session", "display/updates")
SHOWN += ("web/pages/page_diff", "web/pages/table")
SIDE_BY_SIDE = ("observations/actions", "observations/history", "observations/layout", "observations/table_writer")
SIDE_BY_SIDE += ("envs/episode", "envs/rewards", "envs/settings", "envs/batch/games")
WISH = os.environ.get("ARGENTUM_COMPILE", "")
# Within the library, calls from file to file need no table of symbols; nor do small functions need a call.
DIRECT = ["-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt", "-finline-small-functions"]
# What is at work in every move is optimized more, and as a whole with mypyc's own library: a gain of a twentieth to a
# tenth for a few seconds. For all of it, that would double the compiler's time.
AT_WORK = (
    "rules___asking",
    "rules___engine",
    "rules___exchange",
    "rules___notation",
    "rules___fast_lists",
    "rules___table",
    "rules___turns",
)
AT_WORK += ("rules___views", "display___seat_memory", "display___scene", "display___session", "display___scene_builder")
AT_WORK += (
    "display___updates",
    "web___pages___table",
    "web___pages___page_diff",
    "bots___search___playout_policy",
)
AT_WORK += ("dict_ops", "float_ops", "generic_ops", "getargsfast", "int_ops", "list_ops", "misc_ops", "str_ops")
AT_WORK += ("tuple_ops",)
CORES = os.cpu_count() or 1


def compiled_modules() -> list[str]:
    """The modules for mypyc: the rules, and of the rest those that play by the thousand or are asked at every move."""
    source = Path("src/argentum")
    whole = [*source.glob("rules/**/*.py"), *source.glob("words/residents/*.py")]
    bots = [source / "bots" / "search" / f"{name}.py" for name in LOOKING_AHEAD]
    envs = [source / f"{name}.py" for name in SIDE_BY_SIDE]
    words = [path for name in IN_WORDS for path in source.glob(f"words/{name}.py")]
    shown = [source / f"{name}.py" for name in SHOWN]
    return sorted([str(path) for path in [*whole, *bots, *envs, *words, *shown] if path.name not in INTERPRETED])


# Where mypyc writes signatures, or nothing, and docstrings belong.
MODULE = re.compile(
    r'static struct PyModuleDef \w+ = \{\s*PyModuleDef_HEAD_INIT,\s*"([\w.]+)",\s*(NULL)(?=, /\* docstring)'
)
FUNCTION = re.compile(r'\(PyCFunction\)CPyPy_(\w+),[\sA-Z_|,]+PyDoc_STR\((NULL|"(?:[^"\\]|\\.)*")\)')
CLASS = re.compile(r'PyTypeObject CPyType_(\w+)_template_ = \{[^}]*?\.tp_doc = PyDoc_STR\((NULL|"(?:[^"\\]|\\.)*")\)')
PROPERTY = re.compile(r"\(getter\)(\w+_get_\w+),\s*(?:NULL|\(setter\)\w+),\s*(NULL)(?=, NULL\})")
FILLER = re.compile(
    r"= (CPyStatics\[\d+\]; /\* 'mypyc filler docstring' \*/)(?=.*?CPy_AddTraceback\(\"[^\"]*\", \"<module>\", (\d+))",
    re.DOTALL,
)


def docstrings(source: str) -> dict[str, str]:
    """The docstrings of a module by what C calls them; of classes also by their lines, as `Name` and `7`."""
    tree = ast.parse(source)
    found = {"": ast.get_docstring(tree)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = ast.get_docstring(node)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = found[str(node.lineno)] = ast.get_docstring(node)
            for one in node.body:
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                    text = ast.get_docstring(one)
                    found[f"{node.name}___{one.name}"] = text  # a method of a compiled class
                    found[f"{node.name}_get_{one.name}"] = text  # a property of it
                    found[f"{one.name}_{node.name}_obj"] = text  # a method of a class that is not, as a NamedTuple
    return {name: cleandoc(text or "") for name, text in found.items()}


def documented(code: str, docs: dict[str, str]) -> str:
    """A module in C, as mypyc translated it, with the docstrings that mypyc leaves out."""

    def doc_of(symbol: str) -> str:
        names = [symbol]
        while names:  # parts of the module's name may come first
            if names[0] in docs:
                return docs[names[0]]
            names = names[0].split("___", 1)[1:]
        return ""

    def with_doc(match: re.Match[str]) -> str:
        text = doc_of("" if match.re is MODULE else match[1])
        old = match[2]
        new = f'{old[:-1] if old != "NULL" else chr(34)}{c_string(text)}"' if text else old
        return match[0].removesuffix(old) + new if match[0].endswith(old) else match[0].replace(f"({old})", f"({new})")

    for pattern in (MODULE, FUNCTION, CLASS, PROPERTY):
        code = pattern.sub(with_doc, code)
    return FILLER.sub(lambda match: f'= PyUnicode_FromString("{c_string(docs.get(match[2], ""))}");', code)


def c_string(text: str) -> str:
    """A text within the quotes of C."""
    plain = [chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode()]
    return "".join(plain)


def add_docstrings(extensions: Iterable[Extension], root: Path) -> None:
    """Write the docstrings of the modules below a folder into what mypyc has translated."""
    for file in {Path(name) for one in extensions for name in one.sources}:
        code = file.read_text(encoding="utf-8")
        module = MODULE.search(code)
        if module is not None:
            source = root.joinpath(*module[1].split("."))
            source = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
            file.write_text(documented(code, docstrings(source.read_text(encoding="utf-8"))), encoding="utf-8")


def encoder() -> Extension:
    """The encoder of the batch engine, in C. Any build tries it; one that need not be compiled goes on without it."""
    return Extension(
        "argentum.observations._encode",
        ["src/argentum/observations/_encode.c"],
        depends=["src/argentum/observations/_layout.h"],
        optional=WISH != "1",
    )


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
            add_docstrings(made, Path("src"))
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
        self._reason.unlink(missing_ok=True)  # of an earlier build
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
        """Go on as plain Python, and leave the reason where the program finds it: pip shows nothing of a build."""
        if WISH == "1":
            raise error
        print(f"Argentum is built as plain Python, which plays the same but slower: {error}", file=sys.stderr)  # noqa: T201
        if not (self.inplace or self.editable_mode):
            why = str(error).strip() or type(error).__name__
            self._reason.parent.mkdir(parents=True, exist_ok=True)
            self._reason.write_text(f"compiling failed: {why.splitlines()[-1]}\n", encoding="utf-8")

    @property
    def _reason(self) -> Path:
        return Path(self.build_lib) / "argentum" / "not_compiled.txt"

    def build_extensions(self) -> None:
        """Let each C file be compiled by itself."""
        one_by_one = self.compiler.compile
        as_a_whole = links_as_a_whole(self.compiler)
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


def links_as_a_whole(compiler: Any) -> bool:
    """Whether there is link-time optimization: gcc has it, but not every linker that comes with it."""
    if "gcc" not in Path(getattr(compiler, "compiler_so", [""])[0]).name:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text("int main(void) { return 0; }\n")
        try:
            objects = compiler.compile([str(source)], output_dir=folder, extra_postargs=["-flto"])
            compiler.link_executable(objects, "probe", output_dir=folder, extra_postargs=["-flto"])
        except (CompileError, LinkError):
            return False
    return True


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
