# Two commands do all: `make demo` and `make test`. Each makes .venv on first use.
PYTHON ?= python3
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
venv := .venv/bin

.PHONY: demo test nightly matrix lint format golden docs clean
.DEFAULT_GOAL := test

.venv/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "curvec needs Python 3.10 or newer; set PYTHON=")'
	$(PYTHON) -m venv .venv
	$(venv)/python -m pip install --quiet --upgrade pip
	touch $@

# An editable install, so that the tests see this tree; built again when the C++ or the dependencies change.
native := $(shell find runtime -name '*.hpp' -o -name '*.cpp')
.venv/demo: .venv/pip pyproject.toml CMakeLists.txt $(native)
	$(venv)/python -m pip install --quiet --editable '.[demo]'
	touch $@
# Every teacher and engine that pip can install, so that the tests try them: about 4 GB.
.venv/all: .venv/pip pyproject.toml CMakeLists.txt $(native)
	$(venv)/python -m pip install --quiet --editable '.[all]'
	touch $@ .venv/demo

demo: .venv/demo
	$(venv)/curvec demo --output build/demo

test: .venv/all
	$(venv)/python -m pytest -q -n $(WORKERS) --dist loadgroup

# Four times as many examples of each property, drawn anew, where `make test` tries the same ones every time; and the
# whole of each product of which `make test` tries the diagonal.
nightly: .venv/all
	HYPOTHESIS_PROFILE=nightly $(venv)/python -m pytest -q -n $(WORKERS) --dist loadgroup

# The tests on the lowest and the newest versions of all that is declared, on each Python that is here: hours.
matrix: .venv/pip
	$(venv)/python -m pip install --quiet 'uv>=0.5'
	$(venv)/python benchmarks/matrix.py

lint: .venv/all
	$(venv)/ruff check .
	$(venv)/ruff format --check .
	$(venv)/mypy
	find runtime tests -name '*.hpp' -o -name '*.cpp' | xargs $(venv)/clang-format --dry-run --Werror

format: .venv/all
	$(venv)/ruff check --fix .
	$(venv)/ruff format .
	find runtime tests -name '*.hpp' -o -name '*.cpp' | xargs $(venv)/clang-format -i

golden: .venv/all
	$(venv)/python tests/regenerate.py

docs: .venv/pip
	$(venv)/python -m pip install --quiet --editable '.[docs]'
	$(venv)/mkdocs build --strict

clean:
	rm -rf .venv build dist
