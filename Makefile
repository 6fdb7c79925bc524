# Each target makes its own virtual environment; Python >= 3.11 and make are all it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# More threads than cores slow BLAS and numba down; tests that vary threads do so themselves.
export PYTHONHASHSEED ?= 0

.PHONY: demo test lint bench acceptance chromium clean

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "pmifact needs Python >= 3.11, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)

# One stamp an extra: an installation runs again only when pyproject.toml changed.
$(VENV)/.core: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.%: pyproject.toml $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

demo: $(VENV)/.core
	$(BIN)/pmifact demo --data data --output demo-output

test: $(VENV)/.test
	$(BIN)/python -m pytest -n $(WORKERS)

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

# The slow tests, and every property again with 1,000 examples.
acceptance: $(VENV)/.test $(VENV)/.browser chromium
	$(BIN)/python -m pytest -n $(WORKERS) -m "acceptance or hypothesis" --hypothesis-profile=thousand

# Without a browser the tests that open a report are skipped, and say so.
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get update --quiet --quiet && apt-get install --yes --quiet chromium; } \
	  || echo "Chromium cannot be installed here; the tests that open a report in it are skipped"

clean:
	rm -rf $(VENV) demo-output dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
