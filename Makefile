# Graticule: `make demo` and `make test` install what they need into this checkout (.venv/).
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup demo test lint bench screens clean-room clean

PYTHON := .venv/bin/python
JOBS ?= 2
PYTEST_ARGS ?=
DEMO_OUTPUT ?= demo-output

help: ## say what there is
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: ## install Debian packages and .venv/
	@tools/setup.sh

demo: setup ## the guided tour: record, evaluate, cross-evaluate, audit; leaves demo-output/
	@.venv/bin/graticule demo --output $(DEMO_OUTPUT)

# By file: a module that shares a browser keeps its event loop running between its tests. In the order
# of the folders, the long ones first: sorted by their number, files of few and long tests come last.
test: setup ## the whole test suite
	@$(PYTHON) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

lint: setup ## style, types and import contracts
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports
	@$(PYTHON) -m pytest -q tests/unit/test_structure.py tests/unit/test_project.py

bench: setup ## measure speed, each figure beside the naive way
	@.venv/bin/graticule bench

screens: setup ## the pictures of the window in docs/images/screens/
	@$(PYTHON) -m tools.screens

clean-room: ## demo and tests, twice, in a fresh Debian 12 (root; needs mmdebstrap)
	@tools/clean_room.sh

clean: ## remove what the targets above made in the checkout
	rm -rf .venv demo-output dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
