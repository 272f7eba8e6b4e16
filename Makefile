# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make play   installs ludens into .venv, starts the web app and opens it in the browser
#   make test   installs what the tests need (Chromium and bubblewrap too, if they are missing) and runs them all
# And, for whoever changes something deep:
#   make soak         the same checks on many more boards, scenes and games, with their figures
#   make durations    runs the tests and writes down how long each file takes: the slowest begin
#   make test-numba   before the range of Numba in pyproject.toml is changed: runs the tests of the core and of all
#                     rules with its lowest and its newest version

PYTHON ?= python3
BIN := .venv/bin
GAMES := azul liars-dice pursuit dicewars hearthstone kuhn
PYTEST := $(BIN)/pytest -n 2 --dist loadfile

.PHONY: play test soak durations test-numba bench clean ready types $(GAMES:%=warm-%)

play: .venv/.installed
	$(BIN)/ludens serve --open

test: ready
	$(PYTEST) --durations=10

soak: ready
	LUDENS_SOAK=1 $(PYTEST) -m soak

durations: ready
	$(PYTEST) --write-durations

LOWEST = $(shell sed -n 's/^  "$(1)>=\([0-9.]*\).*/\1/p' pyproject.toml)

define with_numba
	rm -rf .venv-numba-$(1)
	$(PYTHON) -m venv .venv-numba-$(1)
	.venv-numba-$(1)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -e tests/plugins/kuhn $(2)
	.venv-numba-$(1)/bin/python -c 'import llvmlite, numba, numpy, sys; print("$(1): numba", numba.__version__, "llvmlite", \
		llvmlite.__version__, "numpy", numpy.__version__, "python", sys.version.split()[0])'
	LUDENS_CACHE=$(CURDIR)/.venv-numba-$(1)/cache .venv-numba-$(1)/bin/pytest -p no:cacheprovider \
		tests/core tests/present/test_records.py tests/games/*/test_*_rules.py
endef

test-numba:
	$(call with_numba,lowest,'numba==$(call LOWEST,numba)' 'numpy==$(call LOWEST,numpy)')
	$(call with_numba,newest)

bench: .venv/.installed-dev
	$(BIN)/python bench/azul.py

# What can be checked before the tests run; types and kernels two at a time, the longest first.
ready: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.web.browser --install
	$(BIN)/python -m tests.arena.bubblewrap
	$(MAKE) --no-print-directory -j 2 warm-hearthstone types $(GAMES:%=warm-%)

types:
	$(BIN)/mypy

$(GAMES:%=warm-%): warm-%:
	$(BIN)/ludens warm $*

.venv/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("ludens needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.installed-dev: .venv/.installed tests/plugins/kuhn/pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -e tests/plugins/kuhn
	touch $@

clean:
	rm -rf .venv .venv-numba-* .mypy_cache .ruff_cache .pytest_cache .hypothesis
