# Two commands: `make run` serves the console, `make test` checks everything. Both set up what they
# need the first time; later they are fast.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12)
VENV := .venv
BIN := $(VENV)/bin
# What pip is told for torch. With an NVIDIA GPU the plain release is right; on Linux without one a
# CPU build saves gigabytes: point pip at one, for instance TORCH="torch==2.13.0+cpu --index-url ...".
TORCH ?= torch==2.13.0
RUN_ARGS ?=

.PHONY: run test check lint types floors models clean

run: $(VENV)/.run models
	$(BIN)/vivant serve $(RUN_ARGS)

test: $(VENV)/.test models check
	$(BIN)/python -m pytest

check: lint types floors

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

floors: $(VENV)/.test
	$(BIN)/lint-imports

# Fetches only what is missing, and prepares the figure (about a minute, once).
models: $(VENV)/.run
	$(BIN)/vivant models fetch

$(VENV)/.python:
	@[ -n "$(PYTHON)" ] || { echo "please install Python 3.11 or 3.12 first, or say PYTHON=…" >&2; exit 1; }
	scripts/system-libraries run $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.run: pyproject.toml $(VENV)/.python scripts/system-libraries
	scripts/system-libraries run $(PYTHON)
	$(BIN)/python -m pip install --quiet $(TORCH)
	$(BIN)/python -m pip install --quiet --editable '.[server]'
	touch $@

$(VENV)/.test: $(VENV)/.run
	scripts/system-libraries test $(PYTHON)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
