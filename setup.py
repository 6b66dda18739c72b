"""The compiled build, and the description for package indexes. Everything else is in pyproject.toml.

mypyc compiles the rules, and the parts of bots, environments, words, display and web that run at every move. A build
from source falls back to plain Python if compiling fails. ARGENTUM_COMPILE=1 makes a failure an error,
ARGENTUM_COMPILE=0 skips compiling.
"""

import ast
import os
import re
import subprocess
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

PACKAGE = Path("src/argentum")
COMPILE_MODE = os.environ.get("ARGENTUM_COMPILE", "")
COMPILED = (
    "rules/**/*.py",
    "words/residents/*.py",
    "words/log/*.py",
    "words/prompts/*.py",
    "words/context.py",
    "words/buttons.py",
    "words/player_names.py",
    "words/english.py",
    "words/advice.py",
    "observations/actions.py",
    "observations/encoder.py",
    "observations/history.py",
    "observations/layout.py",
    "observations/table_writer.py",
    "bots/search/deal_sampler.py",
    "bots/search/win_probability.py",
    "bots/search/playout_policy.py",
    "bots/search/racing.py",
    "display/scene.py",
    "display/scene_builder.py",
    "display/seat_memory.py",
    "display/session.py",
    "display/updates.py",
    "web/pages/page_diff.py",
    "web/pages/table.py",
    "envs/episode.py",
    "envs/rewards.py",
    "envs/settings.py",
    "envs/batch/games.py",
)
INTERPRETED = {"rules/move.py"}  # mypyc does not compile a subclass of int
# Calls within the library need no symbol table, and small functions are inlined.
DIRECT_CALL_FLAGS = ["-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt", "-finline-small-functions"]
# Modules that run in every move are optimized more, together with mypyc's runtime library: 5 to 10 % faster for a few
# seconds. For all modules, it would double the compiler's time.
HOT = (
    "rules/asking.py",
    "rules/engine.py",
    "rules/exchange.py",
    "rules/notation.py",
    "rules/fast_lists.py",
    "rules/table.py",
    "rules/turns.py",
    "rules/views.py",
    "bots/search/playout_policy.py",
    "display/seat_memory.py",
    "display/scene.py",
    "display/session.py",
    "display/scene_builder.py",
    "display/updates.py",
    "web/pages/table.py",
    "web/pages/page_diff.py",
)
HOT_RUNTIME = (
    "dict_ops", "float_ops", "generic_ops", "getargsfast", "int_ops", "list_ops", "misc_ops", "str_ops", "tuple_ops",
)  # fmt: skip
HOT_STEMS = (*[path.removesuffix(".py").replace("/", "___") for path in HOT], *HOT_RUNTIME)  # of mypyc's C files
CPU_COUNT = os.cpu_count() or 1


def compiled_modules() -> list[str]:
    """Return the paths of the modules for mypyc. Exit if a pattern matches nothing: then a module was moved."""
    modules: set[str] = set()
    for pattern in COMPILED:
        matches = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.glob(pattern)}
        if not matches:
            raise SystemExit(f"setup.py: COMPILED names {pattern!r}, which matches no module in {PACKAGE}")
        modules |= matches - INTERPRETED
    for path in HOT:
        if path not in modules:
            raise SystemExit(f"setup.py: HOT names {path!r}, which is not compiled")
    return sorted([str(PACKAGE / path) for path in modules])


# Places for docstrings in mypyc's C code, which have only a signature or nothing.
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


def read_docstrings(source: str) -> dict[str, str]:
    """Return the docstrings of a module by their names in C; those of classes also by line number, such as `7`."""
    tree = ast.parse(source)
    texts = {"": ast.get_docstring(tree)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            texts[node.name] = ast.get_docstring(node)
        elif isinstance(node, ast.ClassDef):
            texts[node.name] = texts[str(node.lineno)] = ast.get_docstring(node)
            for method in node.body:
                if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                    text = ast.get_docstring(method)
                    texts[f"{node.name}___{method.name}"] = text  # a method of a compiled class
                    texts[f"{node.name}_get_{method.name}"] = text  # a property of a compiled class
                    texts[f"{method.name}_{node.name}_obj"] = text  # a method of another class, such as a NamedTuple
    return {name: cleandoc(text or "") for name, text in texts.items()}


def insert_docstrings(code: str, docs: dict[str, str]) -> str:
    """Add the docstrings that mypyc leaves out to its C code of a module."""

    def find_docstring(symbol: str) -> str:
        names = [symbol]
        while names:  # The symbol may start with parts of the module's name.
            if names[0] in docs:
                return docs[names[0]]
            names = names[0].split("___", 1)[1:]
        return ""

    def insert_docstring(match: re.Match[str]) -> str:
        text = find_docstring("" if match.re is MODULE else match[1])
        old = match[2]
        new = f'{old[:-1] if old != "NULL" else chr(34)}{escape_c_string(text)}"' if text else old
        return match[0].removesuffix(old) + new if match[0].endswith(old) else match[0].replace(f"({old})", f"({new})")

    for pattern in (MODULE, FUNCTION, CLASS, PROPERTY):
        code = pattern.sub(insert_docstring, code)
    return FILLER.sub(lambda match: f'= PyUnicode_FromString("{escape_c_string(docs.get(match[2], ""))}");', code)


def escape_c_string(text: str) -> str:
    """Escape a text for a C string literal."""
    characters = [
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}" for byte in text.encode()
    ]
    return "".join(characters)


def add_docstrings(extensions: Iterable[Extension], root: Path) -> None:
    """Write the docstrings of the modules below `root` into the C files of mypyc's extensions."""
    for file in {Path(name) for extension in extensions for name in extension.sources}:
        code = file.read_text(encoding="utf-8")
        module = MODULE.search(code)
        if module is not None:
            source = root.joinpath(*module[1].split("."))
            source = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
            file.write_text(
                insert_docstrings(code, read_docstrings(source.read_text(encoding="utf-8"))), encoding="utf-8"
            )


def encoder_extension() -> Extension:
    """Return the C extension that encodes observations; optional unless ARGENTUM_COMPILE=1."""
    return Extension(
        "argentum.observations._encode",
        ["src/argentum/observations/_encode.c"],
        depends=["src/argentum/observations/_layout.h"],
        optional=COMPILE_MODE != "1",
    )


def generate_layout_header() -> None:
    """Write `observations/_layout.h`, the constants of the layout for the C encoder."""
    command = [sys.executable, "-m", "argentum.observations.layout"]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": "src"}, check=COMPILE_MODE == "1")


class BuildExtensions(build_ext):
    """Compile one C file per module, on all cores, into one library, so that calls between modules are direct."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = CPU_COUNT

    def get_source_files(self) -> list[str]:
        """Return nothing: source distributions contain the package anyway."""
        return []

    def _mypyc_extensions(self, modules: list[str]) -> list[Extension]:
        if COMPILE_MODE != "1" and (self.inplace or self.editable_mode):
            return []  # Editing the source must not require compiling.
        try:
            from mypyc.build import mypycify

            # Debug symbols would double the compiler's time.
            extensions = mypycify(["--strict", *modules], opt_level="1", debug_level="0", multi_file=True)
            add_docstrings(extensions, Path("src"))
        except (Exception, SystemExit) as error:
            self._fall_back(error)
            return []
        if sys.platform != "win32":
            for extension in extensions:
                extension.extra_compile_args = [*extension.extra_compile_args, *DIRECT_CALL_FLAGS]
        return list(extensions)

    def run(self) -> None:
        """Translate and compile; if that fails, remove all outputs and build only the encoder."""
        modules = compiled_modules()
        options = self.inplace, self.editable_mode
        self._reason_file.unlink(missing_ok=True)  # from an earlier build
        generate_layout_header()
        try:
            self._build([*self._mypyc_extensions(modules), encoder_extension()], *options)
        except Exception as error:
            self._fall_back(error)
            for output in self.get_outputs():
                Path(output).unlink(missing_ok=True)
            self._build([encoder_extension()], *options)

    def _build(self, extensions: list[Extension], inplace: bool, editable_mode: bool) -> None:
        self.distribution.ext_modules = extensions
        self.initialize_options()  # They depend on the extensions.
        self.inplace, self.editable_mode = inplace, editable_mode
        self.finalize_options()
        super().run()

    def _fall_back(self, error: BaseException) -> None:
        """Continue as plain Python, with the reason in a file of the package, because pip hides a build's output."""
        if COMPILE_MODE == "1":
            raise error
        print(f"Argentum is built as plain Python, which plays the same but slower: {error}", file=sys.stderr)  # noqa: T201
        if not (self.inplace or self.editable_mode):
            reason = str(error).strip() or type(error).__name__
            self._reason_file.parent.mkdir(parents=True, exist_ok=True)
            self._reason_file.write_text(f"compiling failed: {reason.splitlines()[-1]}\n", encoding="utf-8")

    @property
    def _reason_file(self) -> Path:
        return Path(self.build_lib) / "argentum" / "not_compiled.txt"

    def build_extensions(self) -> None:
        """Compile the C files of a library in parallel; use link-time optimization for the hot ones."""
        compile_sources = self.compiler.compile
        use_lto = supports_lto(self.compiler)
        if use_lto:
            for extension in self.extensions:
                extension.extra_link_args = [*extension.extra_link_args, f"-flto={CPU_COUNT}"]

        def compile_file(source: str, *args: Any, extra_postargs: list[str], **kwargs: Any) -> list[str]:
            flags = ["-O2", "-flto"] if use_lto and Path(source).stem.endswith(HOT_STEMS) else []
            objects: list[str] = compile_sources([source], *args, extra_postargs=[*extra_postargs, *flags], **kwargs)
            return objects

        def compile_in_parallel(sources: list[str], *args: Any, **kwargs: Any) -> list[str]:
            with ThreadPoolExecutor(CPU_COUNT) as executor:
                results = executor.map(lambda source: compile_file(source, *args, **kwargs), sources)
                return [path for objects in results for path in objects]

        self.compiler.compile = compile_in_parallel  # type: ignore[method-assign]
        super().build_extensions()


def supports_lto(compiler: Any) -> bool:
    """Whether compiler and linker support link-time optimization; some linkers used with gcc do not."""
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


def repository_url() -> str:
    """Return the URL of the repository in builds on GitHub, elsewhere an empty string."""
    server, name = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
    return f"{server}/{name}" if server and name else ""


def long_description(url: str) -> str:
    """Return the README with links into the repository; without a URL, drop images and unlink texts."""
    text = Path("README.md").read_text(encoding="utf-8")
    if not url:
        text = re.sub(r"(?m)^(?:!\[[^\]]*\]\(docs/|<p><img src=\"docs/|<img src=\"docs/).*\n", "", text)
        return re.sub(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)", r"\1", text)
    text = re.sub(r'(!\[[^\]]*\]\(|src=")(?=docs/)', rf"\g<1>{url}/raw/HEAD/", text)
    return re.sub(r"(?<!\!)(\[[^\]]+\]\()(?!https?:|#)(?=[^)]+\))", rf"\g<1>{url}/blob/HEAD/", text)


def project_urls(url: str) -> dict[str, str]:
    if not url:
        return {}
    pages = {
        "Source": "",
        "Documentation": "/tree/HEAD/docs",
        "Issues": "/issues",
        "Changelog": "/blob/HEAD/CHANGELOG.md",
    }
    return {name: url + page for name, page in pages.items()}


setup(
    long_description=long_description(repository_url()),
    long_description_content_type="text/markdown",
    project_urls=project_urls(repository_url()),
    ext_modules=[] if COMPILE_MODE == "0" else [Extension("argentum", [])],  # replaced by BuildExtensions
    cmdclass={"build_ext": BuildExtensions},
)
