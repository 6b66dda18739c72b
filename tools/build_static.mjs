// Write the static pages and compile the Python modules with Pyodide, in Node.js. `tools/build_static.py` passes the
// folders of Pyodide, the standard library, our modules with their dependencies, and the output.
import { pathToFileURL } from "node:url";

const [runtime, library, modules, built] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${runtime}/`, env: { PYTHONDONTWRITEBYTECODE: "1" } });
python.mountNodeFS("/library", library);
python.mountNodeFS("/argentum", modules);
python.mountNodeFS("/built", built);
python.runPython(`
import sys
from pathlib import Path
sys.path.insert(0, "/argentum")
from argentum.pyodide import build
build.write_pages(Path("/built"))
build.compile_templates()
build.write_archive(Path("/argentum"), Path("/built/python.zip"))
build.write_archive(Path("/library"), Path("/built/pyodide/python_stdlib.zip"), 2)
`);
