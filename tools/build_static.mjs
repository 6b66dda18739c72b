// Runs in Node.js: Pyodide writes the static pages and compiles the modules. `tools/build_static.py` calls it with the
// folders of Pyodide, of the standard library, of argentum with its dependencies, and of the output.
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
from argentum.pyodide import pages
pages.write_pages(Path("/built"))
pages.compile_templates()
pages.pack(Path("/argentum"), Path("/built/python.zip"))
pages.pack(Path("/library"), Path("/built/pyodide/python_stdlib.zip"), 2)
`);
