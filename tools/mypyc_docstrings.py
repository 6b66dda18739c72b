"""Docstrings for compiled modules: mypyc omits most of them, so the build inserts them into the generated C code."""

import ast
import re
from collections.abc import Iterable
from inspect import cleandoc
from pathlib import Path

# Patterns for the places of docstrings in mypyc's C code, where it puts only a signature or nothing.
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
    """Return a module's docstrings by name in the C code; those of classes also by line number, such as `7`."""
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
    """Return a module's C code with those docstrings added that mypyc omits."""

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


def add_docstrings(c_files: Iterable[Path], root: Path) -> None:
    """Insert the docstrings of the modules below `root` into their C files."""
    for file in c_files:
        code = file.read_text(encoding="utf-8")
        module = MODULE.search(code)
        if module is not None:
            source = root.joinpath(*module[1].split("."))
            source = source / "__init__.py" if source.is_dir() else source.with_suffix(".py")
            docs = read_docstrings(source.read_text(encoding="utf-8"))
            file.write_text(insert_docstrings(code, docs), encoding="utf-8")
