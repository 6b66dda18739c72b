// Rules for the scripts of pages, their tests, and the scripts that build them.
import js from "@eslint/js";
import globals from "globals";

const WORKERS = [
  "src/argentum/web/static/js/service_worker.js",
  "src/argentum/pyodide/static/{python_worker,service-worker}.js",
];
const PAGES = ["src/argentum/{web,pyodide}/static/**/*.js"];

export default [
  { ignores: ["**/vendor/**", "build/**", "dist/**", ".venv*/**"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "complexity": ["error", 15],
      "eqeqeq": "error",
      "max-len": ["error", { code: 150, ignoreComments: true }],
      "max-lines-per-function": ["error", { max: 45, skipComments: true }],
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: PAGES, ignores: WORKERS, languageOptions: { globals: globals.browser } },
  { files: WORKERS, languageOptions: { globals: { ...globals.serviceworker, ...globals.worker } } },
  { files: ["tools/**/*.mjs", "tests/web/**/*.js", "*.js"], languageOptions: { globals: globals.node } },
  {
    files: ["tests/support/*.js"], // One function, with all that it needs, which Playwright evaluates in a page.
    languageOptions: { globals: globals.browser },
    rules: { "complexity": "off", "max-lines-per-function": "off" },
  },
];
