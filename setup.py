"""The compiled build, and the description for package indexes. Everything else is in pyproject.toml.

mypyc compiles the modules that begin with `# mypyc: compile`. Those that run in every move say `# mypyc: compile,
optimize`. A build from source falls back to plain Python, with a message, if compiling fails. ARGENTUM_COMPILE=1 makes
a failure an error, ARGENTUM_COMPILE=0 skips compiling.

ARGENTUM_SCRIPTS names a folder with bundled scripts of pages (`make scripts`), which replace the modules in the build.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path
from sysconfig import get_config_var
from textwrap import shorten
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError, LinkError

SOURCE = Path("src")
PACKAGE = SOURCE / "argentum"
sys.path.append(str(Path(__file__).parent / "tools"))  # of mypyc_docstrings
COMPILE_MODE = os.environ.get("ARGENTUM_COMPILE", "")
if COMPILE_MODE not in ("", "0", "1"):
    raise SystemExit(f"ARGENTUM_COMPILE is 0, 1 or empty, not {COMPILE_MODE!r}")
BUNDLED_SCRIPTS = os.environ.get("ARGENTUM_SCRIPTS", "")
MARKER = "# mypyc: compile"
# Modules with this marker are optimized more, together with mypyc's runtime library: 5 to 10 % faster for a few
# seconds. For all modules, it would double the compiler's time.
OPTIMIZE_MARKER = "# mypyc: compile, optimize"
OPTIMIZED_RUNTIME = (
    "dict_ops", "float_ops", "generic_ops", "getargsfast", "int_ops", "list_ops", "misc_ops", "str_ops", "tuple_ops",
)  # fmt: skip
# Calls within the library need no symbol table, and small functions are inlined.
DIRECT_CALL_FLAGS = ["-fvisibility=hidden", "-fno-semantic-interposition", "-fno-plt", "-finline-small-functions"]
CPU_COUNT = os.cpu_count() or 1


def marked_modules() -> dict[Path, str]:
    """Return the marker of each module that has one. Exit if it is misspelled or not the first line."""
    markers = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found = [line for line in lines if re.match(r"# *mypyc *:", line, re.IGNORECASE)]
        if found and (found != lines[:1] or found[0] not in (MARKER, OPTIMIZE_MARKER)):
            raise SystemExit(f"{path}: {found[-1]!r} must be {MARKER!r} or {OPTIMIZE_MARKER!r}, in the first line only")
        if found:
            markers[path] = found[0]
    return markers


def c_file_stem(module: Path) -> str:
    """Return the name, without suffix, of the C file that mypyc writes for a module."""
    parts = module.relative_to(SOURCE).with_suffix("").parts
    return "__native_" + "___".join(parts[:-1] if parts[-1] == "__init__" else parts)


def translate(modules: list[Path]) -> list[Extension]:
    """Translate modules to C with mypyc. Raise CompileError with mypyc's messages if it fails or omits a module."""
    from mypyc.build import mypycify

    from mypyc_docstrings import add_docstrings

    messages = io.StringIO()
    try:
        with redirect_stdout(messages):
            # Debug symbols would double the compiler's time.
            extensions: list[Extension] = mypycify(
                ["--strict", *map(str, modules)], opt_level="1", debug_level="0", multi_file=True
            )
    except SystemExit as error:
        raise CompileError(f"mypyc failed: {messages.getvalue().strip() or error}") from None
    c_files = {Path(name) for extension in extensions for name in extension.sources}
    omitted = [str(module) for module in modules if c_file_stem(module) not in {file.stem for file in c_files}]
    if omitted:
        raise CompileError(f"mypyc omitted {', '.join(omitted)}")
    add_docstrings(c_files, SOURCE)
    if sys.platform != "win32":
        for extension in extensions:
            extension.extra_compile_args = [*extension.extra_compile_args, *DIRECT_CALL_FLAGS]
    return extensions


def encoder_extension(header: Path, optional: bool) -> Extension:
    """Return the C extension that writes observations. If it is `optional` and fails, the build goes on without it."""
    return Extension(
        "argentum.observations._encode",
        ["src/argentum/observations/_encode.c"],
        include_dirs=[str(header.parent)],
        depends=[str(header)],
        optional=optional,
    )


def fallback_message(error: Exception) -> str:
    """Return what happened and what to do, for a build that falls back to plain Python."""
    lines = (str(error).strip() or type(error).__name__).splitlines()
    reason = shorten(next((line for line in lines if " error: " in line), lines[-1]), 240)  # not the whole command
    return (
        f"Compiling failed, so this is plain Python, which plays the same but more slowly. The reason: {reason}\n"
        "To compile, install a C compiler and Python's headers if they are missing, then reinstall Argentum with "
        "`pip install --force-reinstall --no-cache-dir`. With ARGENTUM_COMPILE=1, the build stops instead."
    )


def write_layout_header(folder: str) -> Path:
    """Write `_layout.h`, the numbers of the layout of observations for the C extension, to a folder of the build."""
    header = Path(folder).absolute() / "_layout.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "argentum.observations.c_header", str(header)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(SOURCE), "ARGENTUM_BOXES": "none"}, check=True)
    return header


class BuildModules(build_py):
    """Copies the package; replaces the scripts of pages by bundled ones if there are any."""

    def run(self) -> None:
        super().run()
        if BUNDLED_SCRIPTS and not self.editable_mode:
            for folder in ("js", "vendor"):
                target = Path(self.build_lib, "argentum", "web", "static", folder)
                shutil.rmtree(target)
                shutil.copytree(Path(BUNDLED_SCRIPTS, folder), target)


class BuildExtensions(build_ext):
    """Compile one C file per module, on all cores, into one library, so that calls between modules are direct."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = CPU_COUNT

    def get_source_files(self) -> list[str]:
        """Return nothing: source distributions contain the package anyway."""
        return []

    def run(self) -> None:
        """Translate and compile; if that fails, build only the encoder, and say why."""
        options = self.inplace, self.editable_mode
        header = write_layout_header(self.build_temp)
        needs_compiler = COMPILE_MODE == "1" or not any(options)  # Editing the source must not require compiling.
        self.markers = marked_modules() if needs_compiler else {}
        message_file = Path(self.build_lib) / "argentum" / "not_compiled.txt"  # argentum/build.py reads it.
        message_file.unlink(missing_ok=True)  # from an earlier build
        try:
            compiled = translate(list(self.markers)) if self.markers else []
            self._build([*compiled, encoder_extension(header, optional=self.editable_mode)], *options)
        except Exception as error:
            if COMPILE_MODE == "1" or options[0]:  # setuptools has reset `inplace`
                raise
            message = fallback_message(error)
            print(message, file=sys.stderr)  # noqa: T201
            for output in self.get_outputs():
                Path(output).unlink(missing_ok=True)
            self._build([encoder_extension(header, optional=True)], *options)
            message_file.parent.mkdir(parents=True, exist_ok=True)
            message_file.write_text(message + "\n", encoding="utf-8")  # because pip hides a build's output

    def _build(self, extensions: list[Extension], inplace: bool, editable_mode: bool) -> None:
        self.distribution.ext_modules = extensions
        self.initialize_options()  # They depend on the extensions.
        self.inplace, self.editable_mode = inplace, editable_mode
        self.finalize_options()
        if not (inplace or editable_mode):
            self._remove_stale_modules()
        super().run()

    def _remove_stale_modules(self) -> None:
        """Remove compiled modules of an earlier build whose source is no longer marked, or was moved."""
        built = Path(self.build_lib, "argentum").rglob(f"*{get_config_var('EXT_SUFFIX')}")
        for path in set(built) - {Path(output) for output in self.get_outputs()}:
            path.unlink()

    def build_extensions(self) -> None:
        """Compile the C files of a library in parallel; use link-time optimization for the optimized ones."""
        compile_sources = self.compiler.compile
        optimized = {c_file_stem(path) for path, marker in self.markers.items() if marker == OPTIMIZE_MARKER}
        optimized.update(OPTIMIZED_RUNTIME)
        use_lto = supports_lto(self.compiler)
        if use_lto:
            for extension in self.extensions:
                extension.extra_link_args = [*extension.extra_link_args, f"-flto={CPU_COUNT}"]

        def compile_file(source: str, *args: Any, extra_postargs: list[str], **kwargs: Any) -> list[str]:
            flags = ["-O2", "-flto"] if use_lto and Path(source).stem in optimized else []
            try:
                return list(compile_sources([source], *args, extra_postargs=[*extra_postargs, *flags], **kwargs))
            except CompileError as error:
                raise CompileError(f"{source}: {error}") from error

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
    cmdclass={"build_ext": BuildExtensions, "build_py": BuildModules},
)
