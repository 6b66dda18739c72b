# Two commands: `make play` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FAST := build/fast
TEST := -n 2 --dist worksteal
COMPILED := tests/bots/test_seer.py tests/bots/test_imagined.py tests/envs/test_batch.py tests/envs/test_encoding.py tests/envs/test_observation.py
.DEFAULT_GOAL := help
SOURCES := $(shell find src -name '*.py' -o -name '*.c' -o -name '*.toml')

.PHONY: help play test check test-rules test-faces test-fast bench bench-envs load fast wheel docs site clean outside

help:  ## What there is to make
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

play: $(VENV)/playable  ## Play in the browser, on this machine
	$(BIN)/argentum play

test: check test-rules  ## Everything that must hold
	$(MAKE) -j 2 test-faces $(FAST)/built  # the browser's tests wait often enough for a compiler beside them
	$(MAKE) test-fast

check: $(VENV)/installed  ## Types, lint, format
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test-rules: $(VENV)/installed  ## The tests of the rules on the plain build, with coverage
	$(BIN)/python -m pytest $(TEST) tests/test_*.py --cov=argentum.rules --cov-report=
	$(BIN)/coverage report --include='src/argentum/rules/*' --fail-under=95

test-faces: $(VENV)/installed outside  ## All other tests, and every example in the documentation
	$(BIN)/python -m pytest $(TEST) --ignore-glob='tests/test_*.py'

test-fast: $(FAST)/built  ## The tests of what is compiled, on the compiled build
	PYTHONPATH=$(FAST):. ARGENTUM_EXPECT=compiled $(BIN)/python -m pytest $(TEST) -o addopts= tests/test_*.py $(COMPILED)

outside:  # what the tests run in and on, from Debian's packages where it is missing
	tools/debian.sh chromium chromium chromium-browser google-chrome
	tools/debian.sh postgresql initdb '/usr/lib/postgresql/*/bin/initdb'
	tools/debian.sh tmux tmux

bench: $(FAST)/built .venv-bench/installed  ## Speed, side by side with peers, in one run on one core
	.venv-bench/bin/python benchmarks/speed.py --plain src --compiled $(FAST)
	.venv-bench/bin/python benchmarks/search.py --plain src --compiled $(FAST)

bench-envs: $(FAST)/built .venv-bench/installed  ## Speed of the learning environments, side by side with peers
	.venv-bench/bin/python benchmarks/envs.py --plain src --compiled $(FAST)

load: $(VENV)/installed  ## A thousand tables at once, on loopback
	$(BIN)/python benchmarks/load.py --tables 1000 --connections 4 --pace 2 --seconds 60

fast: $(FAST)/built  ## The compiled build, for PYTHONPATH=build/fast
	@echo "Compiled into $(FAST). Use it with PYTHONPATH=$(FAST)."

wheel: $(VENV)/installed  ## A compiled wheel in dist/
	ARGENTUM_COMPILE=1 $(BIN)/python -m pip wheel --no-deps --no-build-isolation -w dist .

docs: $(VENV)/installed  ## Write the pages that are made from the program's own data
	$(BIN)/python tools/pages.py docs

site: docs  ## Build the documentation site into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

$(VENV)/playable: pyproject.toml requirements/play.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/play.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/installed: $(VENV)/playable requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/dev.txt
	touch $@

.venv-bench/installed: requirements/bench.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/bench.txt
	touch $@

$(FAST)/built: $(VENV)/installed setup.py $(SOURCES)
	rm -rf $(FAST)
	ARGENTUM_COMPILE=1 $(BIN)/python setup.py --quiet build --build-lib $(FAST)
	touch $@

clean:
	rm -rf build dist $(VENV) .venv-bench
