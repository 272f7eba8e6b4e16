# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make play   installs ludens into .venv, starts the web app and opens it in the browser
#   make test   installs what the tests need (a Chromium too, if there is none) and runs them all

PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test bench clean

play: .venv/.installed
	$(BIN)/ludens serve --open

test: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.web.browser --install
	$(BIN)/mypy & types=$$!; $(BIN)/ludens warm && wait $$types
	$(BIN)/pytest -n 2 --dist loadfile

bench: .venv/.installed-dev
	$(BIN)/python bench/azul.py

.venv/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("ludens needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.installed-dev: .venv/.installed tests/plugins/kuhn/pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -e tests/plugins/kuhn
	touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
