# `make play` and `make test` install what they need; `make help` lists all targets.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile  # Python compiles modules on import.
COMPILED_BUILD := build/compiled
TEST := -n 2 --dist worksteal
# Three processes on two cores, because these tests mostly wait for browsers and servers. A file stays in one process,
# which starts its server or browser once; the slowest files come first (tests/conftest.py).
UI := -n 3 --dist loadfile --no-loadscope-reorder
# These tests run every rule. Coverage triples their time, so it is measured only for them.
COVERED := tests/rules tests/conformance tests/properties/test_secrecy.py tests/records/test_scenario_errors.py
RULES := tests/properties tests/records tests/project
COMPILED := tests/rules tests/conformance tests/properties tests/records tests/bots/search tests/bots/test_seer.py \
	tests/observations tests/envs/batch tests/words/log tests/words/prompts tests/words/test_buttons.py tests/display tests/web/sockets/test_readers.py
TRAINING := tests/learn/test_trainer.py tests/learn/test_export.py
# These need a network, browsers or system packages, or run for minutes.
SYSTEM := tests/e2e tests/failover tests/security tests/slow tests/terminal/test_snapshots.py $(TRAINING)
LOAD = --servers $(shell getconf _NPROCESSORS_ONLN) --seconds 15 --find-limit
.DEFAULT_GOAL := help
SCRIPTS := build/scripts
MODULES := $(shell find src/argentum/web/static/js src/argentum/web/static/vendor -name '*.js' 2>/dev/null)
SOURCES := $(shell find src -name '*.py' -o -name '*.c' -o -name '*.toml')

.PHONY: help play test check check-scripts scripts test-rules test-ui test-compiled test-unit test-training test-static test-slow bench bench-envs bench-load \
	gallery test-failover compiled wheel sdist static docs site lock clean system-packages

help:  ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

play: $(VENV)/play  ## Play in the browser, on this machine
	$(BIN)/argentum play

test: $(VENV)/check $(VENV)/dev  ## All checks and tests
	$(MAKE) -j 2 -O check check-scripts test-rules
	$(MAKE) -j 2 test-ui $(COMPILED_BUILD)/built  # Browser tests wait often enough to share the cores with a compiler.
	$(MAKE) test-compiled

check: $(VENV)/check  ## Type check, lint and format check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check-scripts: node_modules/installed  ## Types, lint and tests of the scripts of pages, in Node.js
	npm run --silent check

test-rules: $(VENV)/dev  ## Tests of the rules on the plain build, with coverage
	$(BIN)/python -m pytest $(TEST) $(COVERED) --cov=argentum.rules --cov-report=
	$(BIN)/coverage report --include='src/argentum/rules/*' --fail-under=95
	$(BIN)/python -m pytest $(TEST) $(RULES) $(addprefix --ignore=,$(COVERED))

test-ui: $(VENV)/dev system-packages  ## All other tests, and the examples in the documentation
	$(BIN)/python -m pytest $(UI) $(addprefix --ignore=,tests/rules tests/conformance $(RULES)) --ignore=tests/e2e/test_static_edition.py $(addprefix --ignore=,$(TRAINING))

test-compiled: $(COMPILED_BUILD)/built  ## Tests of the compiled modules, on the compiled build
	PYTHONPATH=$(COMPILED_BUILD):. ARGENTUM_EXPECT_BUILD=compiled $(BIN)/python -m pytest $(TEST) -o addopts= $(COMPILED)

test-unit: $(VENV)/dev  ## Tests that need neither a network nor system packages
	$(BIN)/python -m pytest $(TEST) tests $(addprefix --ignore=,$(SYSTEM))

test-training: $(VENV)/dev  ## Short training runs, with and without a checkpoint; not part of `make test`
	$(BIN)/python -m pytest -n 2 $(TRAINING)

test-static: $(VENV)/dev build/static/index.html  ## Tests of the static edition, in Chromium; not part of `make test`
	tools/install_debian_package.sh chromium chromium chromium-browser google-chrome
	$(BIN)/python -m pytest -n 0 tests/e2e/test_static_edition.py

system-packages:  # Install missing Debian packages of programs that the tests use.
	tools/install_debian_package.sh chromium chromium chromium-browser google-chrome
	tools/install_debian_package.sh postgresql initdb '/usr/lib/postgresql/*/bin/initdb'
	tools/install_debian_package.sh haproxy haproxy /usr/sbin/haproxy
	tools/install_debian_package.sh tmux tmux

test-slow: $(COMPILED_BUILD)/built .venv-slow/installed  ## Short training runs of reinforcement learning libraries, a few minutes each; not part of `make test`
	PYTHONPATH=$(COMPILED_BUILD):. .venv-slow/bin/python -m pytest -o addopts= -W default -ra tests/slow  # Other libraries emit warnings.

bench: $(COMPILED_BUILD)/built .venv-bench/installed  ## Speed of the rules and bots, compared with other libraries, on one core
	.venv-bench/bin/python benchmarks/rules.py --plain src --compiled $(COMPILED_BUILD)
	.venv-bench/bin/python benchmarks/bots.py --plain src --compiled $(COMPILED_BUILD)

bench-envs: $(COMPILED_BUILD)/built .venv-bench/installed  ## Speed of the learning environments, compared with other libraries
	.venv-bench/bin/python benchmarks/envs.py --plain src --compiled $(COMPILED_BUILD)

test-failover: $(VENV)/dev system-packages  ## Failures of two and three servers, PostgreSQL and HAProxy, for ten minutes; not part of `make test`
	PYTHONPATH=. $(BIN)/python benchmarks/failover.py

bench-load: $(COMPILED_BUILD)/built system-packages  ## Highest load of a server per core behind HAProxy, with 1,000 tables of browsers and with 5,000 of programs
	PYTHONPATH=$(COMPILED_BUILD):. $(BIN)/python benchmarks/load.py $(LOAD) --tables 1000 --connections 4 --html 1 --pace 8
	PYTHONPATH=$(COMPILED_BUILD):. $(BIN)/python benchmarks/load.py $(LOAD) --tables 5000 --connections 3 --html 0 --pace 12

gallery: $(VENV)/dev system-packages  ## Pictures of all pages in many states and sizes, compared with those in build/gallery-before
	PYTHONPATH=src:. $(BIN)/python tools/gallery.py build/gallery

compiled: $(COMPILED_BUILD)/built  ## Compile into build/compiled, for PYTHONPATH
	@echo "Compiled into $(COMPILED_BUILD); to use it, set PYTHONPATH=$(COMPILED_BUILD)."

scripts: $(SCRIPTS)/bundled  ## Bundle the scripts of pages for wheels, into build/scripts

wheel: $(VENV)/dev $(SCRIPTS)/bundled  ## Build a compiled wheel into dist/
	ARGENTUM_COMPILE=1 ARGENTUM_SCRIPTS=$(SCRIPTS) $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation -w dist .

sdist: $(VENV)/dev  ## Build the source distribution, with the tests, into dist/
	$(BIN)/python -c "from setuptools.build_meta import build_sdist; build_sdist('dist')" >/dev/null

static: build/static/index.html  ## Build the static edition, for any web host, into build/static
	@du -sh build/static

docs: $(VENV)/site  ## Generate the documentation pages that come from the program's data
	PYTHONPATH=src $(BIN)/python tools/docs_pages.py docs

site: docs  ## Build the documentation site into build/site
	PYTHONPATH=src NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lock: $(VENV)/lock  ## Pin the dependency groups of pyproject.toml in requirements/
	$(BIN)/python tools/lock_requirements.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Argentum needs Python 3.11 or newer, and $(PYTHON) is $$(command -v $(PYTHON) >/dev/null && $(PYTHON) --version 2>&1 || echo missing); to use another one: make $(firstword $(MAKECMDGOALS) play) PYTHON=python3.13" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# Each target installs the dependency groups that it needs; `play` also installs the package, for its commands. The files
# list everything, so pip needs no dependencies; but it chooses the build of PyTorch, whose file has no hashes.
$(VENV)/%: requirements/%.txt | $(BIN)/python
	$(PIP) --no-deps -r $<
	touch $@

$(VENV)/check: requirements/check.txt requirements/torch.txt | $(BIN)/python
	$(PIP) --no-deps -r $<
	$(PIP) -r requirements/torch.txt
	touch $@

$(VENV)/play: requirements/play.txt pyproject.toml setup.py $(filter src/argentum/observations/%,$(SOURCES)) | $(BIN)/python
	$(PIP) --no-deps -r $<
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/dev: requirements/dev.txt requirements/torch.txt $(VENV)/play
	$(PIP) --no-deps -r $<
	$(PIP) -r requirements/torch.txt
	touch $@

.venv-slow/installed: requirements/slow.txt requirements/torch.txt
	$(PYTHON) -m venv .venv-slow
	.venv-slow/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $<
	.venv-slow/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/torch.txt
	touch $@

.venv-bench/installed: requirements/bench.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $<
	touch $@

$(COMPILED_BUILD)/built: $(VENV)/dev setup.py tools/mypyc_docstrings.py $(SOURCES)
	rm -rf $(COMPILED_BUILD)
	ARGENTUM_COMPILE=1 $(BIN)/python setup.py --quiet build --build-lib $(COMPILED_BUILD)
	touch $@

# Tools that check and bundle scripts, as pinned in package-lock.json. Debian's Node.js is new enough.
node_modules/installed: package-lock.json
	tools/install_debian_package.sh nodejs node
	tools/install_debian_package.sh npm npm
	npm ci --ignore-scripts --no-audit --no-fund --loglevel error
	touch $@

$(SCRIPTS)/bundled: node_modules/installed tools/bundle_scripts.mjs $(MODULES)
	rm -rf $(SCRIPTS)
	mkdir -p $(SCRIPTS)
	cp -r src/argentum/web/static/js src/argentum/web/static/vendor $(SCRIPTS)
	node tools/bundle_scripts.mjs $(SCRIPTS) js/base.js js/home.js js/offline.js js/table.js
	touch $@

build/static/index.html: $(VENV)/play node_modules/installed tools/build_static.py tools/bundle_scripts.mjs $(SOURCES) $(shell find src/argentum/web src/argentum/pyodide -type f -not -name '*.pyc' 2>/dev/null)
	$(BIN)/python tools/build_static.py build/static

clean:
	rm -rf build dist node_modules $(VENV) .venv-bench .venv-slow

# Former target names.
test-faces: NEW := test-ui
test-fast: NEW := test-compiled
fast: NEW := compiled
proof-servers: NEW := test-failover
outside: NEW := system-packages
load: NEW := bench-load
test-faces test-fast fast proof-servers outside load:
	@echo "make $@ is called make $(NEW) now." >&2; exit 1
