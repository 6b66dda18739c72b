# Two commands: `make play` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile  # Python compiles what is imported, when it is
FAST := build/fast
TEST := -n 2 --dist worksteal
# They wait for browsers and servers half of their time. Files stay whole, as each starts its own, the longest first
# (tests/conftest.py).
FACES := -n 3 --dist loadfile --no-loadscope-reorder
# Every rule is asked for by these. Measuring coverage takes three times as long, so the other tests go without.
COVERED := tests/rules tests/conformance tests/properties/test_secrecy.py tests/records/test_scenario_errors.py
	tests/rules/test_position_text.py tests/rules/test_shuffling.py
COMPILED := tests/rules tests/conformance tests/properties tests/records tests/bots/test_seer.py tests/observations tests/envs/batch \
	tests/words/log tests/words/prompts tests/words/test_buttons.py tests/display/test_session.py tests/web/sockets/test_readers.py
RULES := tests/rules tests/conformance tests/properties tests/records tests/project
	tests/words/log/test_builder.py tests/words/test_buttons.py tests/words/prompts/test_prompt.py tests/display/test_session.py tests/web/sockets/test_readers.py
LOAD = --workers $(shell getconf _NPROCESSORS_ONLN) --seconds 15 --find-limit
.DEFAULT_GOAL := help
SOURCES := $(shell find src -name '*.py' -o -name '*.c' -o -name '*.toml')

.PHONY: help play test check test-rules test-faces test-fast test-training test-static test-slow bench bench-envs load proof-servers fast wheel sdist static docs site lock clean outside

help:  ## What there is to make
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

play: $(VENV)/play  ## Play in the browser, on this machine
	$(BIN)/argentum play

test: $(VENV)/check $(VENV)/dev  ## Everything that must hold
	$(MAKE) -j 2 -O check test-rules
	$(MAKE) -j 2 test-faces $(FAST)/built  # the browser's tests wait often enough for a compiler beside them
	$(MAKE) test-fast

check: $(VENV)/check  ## Types, lint, format
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test-rules: $(VENV)/dev  ## The tests of the rules on the plain build, with coverage
	$(BIN)/python -m pytest $(TEST) $(COVERED) --cov=argentum.rules --cov-report=
	$(BIN)/coverage report --include='src/argentum/rules/*' --fail-under=95
	$(BIN)/python -m pytest $(TEST) tests/properties tests/records tests/project $(addprefix --ignore=,$(COVERED))

test-faces: $(VENV)/dev outside  ## All other tests, and every example in the documentation
	$(BIN)/python -m pytest $(FACES) $(addprefix --ignore=,$(RULES)) --ignore=tests/e2e/test_static_edition.py --ignore=tests/learn/test_trainer.py

test-fast: $(FAST)/built  ## The tests of what is compiled, on the compiled build
	PYTHONPATH=$(FAST):. ARGENTUM_EXPECT=compiled $(BIN)/python -m pytest $(TEST) -o addopts= $(COMPILED)

test-training: $(VENV)/dev  ## Short training runs, resumed and whole; not part of `make test`
	$(BIN)/python -m pytest -n 2 tests/learn/test_trainer.py

test-static: $(VENV)/dev build/static/index.html  ## The tests of the static edition, in Chromium; not part of `make test`
	tools/install_debian_package.sh chromium chromium chromium-browser google-chrome
	$(BIN)/python -m pytest -n 0 tests/e2e/test_static_edition.py

outside:  # what the tests run in and on, from Debian's packages where it is missing
	tools/install_debian_package.sh chromium chromium chromium-browser google-chrome
	tools/install_debian_package.sh postgresql initdb '/usr/lib/postgresql/*/bin/initdb'
	tools/install_debian_package.sh haproxy haproxy /usr/sbin/haproxy
	tools/install_debian_package.sh tmux tmux

test-slow: $(FAST)/built .venv-slow/installed  ## Short real runs of libraries that learn, some minutes each; not part of `make test`
	PYTHONPATH=$(FAST):. .venv-slow/bin/python -m pytest -o addopts= -W default -ra tests/slow  # the libraries have warnings of their own

bench: $(FAST)/built .venv-bench/installed  ## Speed, side by side with peers, in one run on one core
	.venv-bench/bin/python benchmarks/rules.py --plain src --compiled $(FAST)
	.venv-bench/bin/python benchmarks/bots.py --plain src --compiled $(FAST)

bench-envs: $(FAST)/built .venv-bench/installed  ## Speed of the learning environments, side by side with peers
	.venv-bench/bin/python benchmarks/envs.py --plain src --compiled $(FAST)

proof-servers: $(VENV)/dev outside  ## Two servers, HAProxy and PostgreSQL in all kinds of trouble, for minutes
	PYTHONPATH=. $(BIN)/python benchmarks/failover.py

load: $(FAST)/built outside  ## On all cores, faster and faster until it is too much: 1,000 tables of browsers, 5,000 of programs
	PYTHONPATH=$(FAST):. $(BIN)/python benchmarks/load.py $(LOAD) --tables 1000 --connections 4 --html 1 --pace 8
	PYTHONPATH=$(FAST):. $(BIN)/python benchmarks/load.py $(LOAD) --tables 5000 --connections 3 --html 0 --pace 12

fast: $(FAST)/built  ## The compiled build, for PYTHONPATH=build/fast
	@echo "Compiled into $(FAST). Use it with PYTHONPATH=$(FAST)."

wheel: $(VENV)/dev  ## A compiled wheel in dist/
	ARGENTUM_COMPILE=1 $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation -w dist .

sdist: $(VENV)/dev  ## The source with its tests, as one file in dist/
	$(BIN)/python -c "from setuptools.build_meta import build_sdist; build_sdist('dist')" >/dev/null

static: build/static/index.html  ## The edition for any web host, without a server, in build/static
	@du -sh build/static

docs: $(VENV)/site  ## Write the pages that are made from the program's own data
	PYTHONPATH=src $(BIN)/python tools/docs_pages.py docs

site: docs  ## Build the documentation site into build/site
	PYTHONPATH=src NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

lock: $(VENV)/play  ## Pin in requirements/ what pyproject.toml asks for
	$(BIN)/python tools/lock_requirements.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Argentum needs Python 3.11 or newer, and $(PYTHON) is $$(command -v $(PYTHON) >/dev/null && $(PYTHON) --version 2>&1 || echo missing); if you have another, name it: make $(firstword $(MAKECMDGOALS) play) PYTHON=python3.13" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# Each group of dependencies is installed when something needs it. What is to be run from the command line is installed too.
$(VENV)/%: requirements/%.txt | $(BIN)/python
	$(PIP) -r $<
	touch $@

$(VENV)/play: requirements/play.txt pyproject.toml setup.py $(filter %.c,$(SOURCES)) | $(BIN)/python
	$(PIP) -r $<
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/dev: requirements/dev.txt $(VENV)/play
	$(PIP) -r $<
	touch $@

.venv-slow/installed: requirements/slow.txt
	$(PYTHON) -m venv .venv-slow
	.venv-slow/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/slow.txt
	touch $@

.venv-bench/installed: requirements/bench.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/bench.txt
	touch $@

$(FAST)/built: $(VENV)/dev setup.py $(SOURCES)
	rm -rf $(FAST)
	ARGENTUM_COMPILE=1 $(BIN)/python setup.py --quiet build --build-lib $(FAST)
	touch $@

build/static/index.html: $(VENV)/play tools/build_static.py $(SOURCES) $(shell find src/argentum/web src/argentum/pyodide -type f -not -name '*.pyc' 2>/dev/null)
	$(BIN)/python tools/build_static.py build/static

clean:
	rm -rf build dist $(VENV) .venv-bench .venv-slow
