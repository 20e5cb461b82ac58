# Every target sets up what it needs, so that one command is enough on a fresh machine.

VENV ?= .venv
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3)
BIN := $(VENV)/bin
ASK ?= which papers reduce pipeline bubbles?

export PYTHONUTF8 = 1

.DEFAULT_GOAL := help

.PHONY: help install ingest chat serve ask test quick eval eval-diluted eval-crosslingual bench \
	lint types layers format check screenshots clean

help:  ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 20

$(BIN)/.ready: pyproject.toml constraints.txt scripts/install.sh
	PYTHON="$(PYTHON)" sh scripts/install.sh $(VENV) local
	@touch $@

$(BIN)/.ready-dev: $(BIN)/.ready
	PYTHON="$(PYTHON)" sh scripts/install.sh $(VENV) local,dev
	@touch $@

$(BIN)/.ready-browser: $(BIN)/.ready-dev tests/browser.py
	$(BIN)/python tests/browser.py --install
	@touch $@

install: $(BIN)/.ready  ## Install paraqa and its local model into .venv

ingest: $(BIN)/.ready  ## Take in the listings of seeds/
	$(BIN)/paraqa ingest

chat: $(BIN)/.ready  ## Open the page: ask in the browser
	$(BIN)/paraqa chat

serve: $(BIN)/.ready  ## Serve the page and the HTTP interface
	$(BIN)/paraqa serve

ask: ingest  ## Ask on the command line: make ask ASK="your question"
	$(BIN)/paraqa ask "$(ASK)"

test: $(BIN)/.ready-browser  ## Run all tests: unit, contract, integration, browser
	$(BIN)/python -m pytest

quick: $(BIN)/.ready-dev  ## Run the unit and contract tests
	$(BIN)/python -m pytest tests/unit tests/contract

# Measured over the 54 papers that ship, whatever the reader's own store holds.
MEASURED := results/store

# The other papers, of evals/cl, have a store of their own.
MEASURED_CL := results/store-cl
DILUTED := results/store-diluted
UNDILUTED := results/undiluted-{set}.json

SET ?= parallelism unseen cl
OVER_SEEDS := $(addprefix evals/,$(filter-out cl,$(SET)))
OVER_CL := $(addprefix evals/,$(filter cl,$(SET)))

eval: $(BIN)/.ready-dev  ## Measure on all sets of evals/, or one (SET=unseen ARGS="--only retrieval")
ifneq ($(OVER_SEEDS),)
	$(BIN)/paraqa ingest seeds --store $(MEASURED)
	$(BIN)/paraqa eval $(OVER_SEEDS) --store $(MEASURED) $(ARGS)
endif
ifneq ($(OVER_CL),)
	$(BIN)/paraqa ingest evals/cl/listing.txt --store $(MEASURED_CL)
	$(BIN)/paraqa eval $(OVER_CL) --store $(MEASURED_CL) $(ARGS)
endif

eval-diluted: $(BIN)/.ready-dev  ## Measure rankings among 5,000 more papers, beside those without
	$(MAKE) eval SET="parallelism cl" ARGS="--only retrieval --save-baseline '$(UNDILUTED)'"
	$(BIN)/paraqa ingest seeds evals/corpora/listing_5000.txt evals/cl/listing.txt --store $(DILUTED)
	$(BIN)/paraqa eval evals/parallelism evals/cl --only retrieval --store $(DILUTED) \
		--baseline '$(UNDILUTED)' $(ARGS)

eval-crosslingual: $(BIN)/.ready-dev  ## Measure whether English sentences find papers listed in Chinese
	$(BIN)/paraqa ingest evals/cl/listing.txt --store $(MEASURED_CL)
	PARAQA_STORE__PATH=$(MEASURED_CL) $(BIN)/python benchmarks/crosslingual.py

bench: $(BIN)/.ready-dev  ## Measure the speed of evidence and answers
	$(BIN)/paraqa ingest seeds --store $(MEASURED)
	PARAQA_STORE__PATH=$(MEASURED) $(BIN)/python benchmarks/answers.py
	$(BIN)/python benchmarks/embedding.py
	$(BIN)/python benchmarks/retrieval.py --keep results/bench

format: $(BIN)/.ready-dev  ## Format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(BIN)/.ready-dev  ## Check format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(BIN)/.ready-dev  ## Check types
	$(BIN)/mypy

layers: $(BIN)/.ready-dev  ## Check that data moves one way
	$(BIN)/lint-imports

check: lint types layers  ## Format, lint, types, layers

screenshots: $(BIN)/.ready-browser ingest  ## Photograph the page into docs/images
	$(BIN)/python tests/e2e/screenshots.py docs/images

clean:  ## Remove the environment and the store
	rm -rf $(VENV) vectorstore
