// Bundle the scripts of pages in a copy of the static files: node tools/bundle_scripts.mjs FOLDER SCRIPT...
// Each script gets the modules that it imports, minified; modules that are left over are deleted.
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";

import { build } from "esbuild";

const [folder, ...scripts] = process.argv.slice(2);
const { metafile } = await build({
  absWorkingDir: resolve(folder),
  allowOverwrite: true,
  bundle: true,
  charset: "utf8",
  entryPoints: scripts,
  format: "esm",
  legalComments: "eof",
  logLevel: "warning",
  metafile: true,
  minify: true,
  outbase: ".",
  outdir: ".",
  target: "es2022",
});
for (const module of Object.keys(metafile.inputs)) if (!scripts.includes(module)) await rm(join(folder, module));
