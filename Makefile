PYTHON ?= python3.11
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all:
LOCK = $(BIN)/uv pip compile --quiet $(UPGRADE) --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock"
UPGRADE ?= --upgrade

.PHONY: help
help: ## List the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

$(VENV)/ready: requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -r requirements.txt
	touch $@

$(VENV)/ready-to-test: requirements-test.txt $(VENV)/ready
	$(INSTALL) -r requirements-test.txt
	touch $@

.PHONY: test
test: $(VENV)/ready-to-test ## Run the linters, the type checker and the whole test suite.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2

.PHONY: lock
lock: $(VENV)/ready-to-test ## Lock the newest versions that requirements*.in allow, with hashes; UPGRADE= keeps those that are locked.
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements.in requirements-test.in -c requirements.txt -o requirements-test.txt

.PHONY: record
record: $(VENV)/ready-to-test ## Write every recorded file of the tests anew.
	$(BIN)/python -m tests.record

.PHONY: corpus
corpus: $(VENV)/ready-to-test ## Store games for what occurs in no stored game yet; those that are stored stay as they are.
	$(BIN)/python -m tests.corpus

.PHONY: run
run: $(VENV)/ready ## Serve on 127.0.0.1:8000 with an embedded Redis; Ctrl-C stops everything.
	@OPEN_REGISTRATION=$${OPEN_REGISTRATION:-true} exec $(BIN)/python -m referee.run

.PHONY: backup
backup: $(VENV)/ready ## Copy everything while the service runs, and read the copy back: TO=/backup/monday.
	@$(BIN)/python -m referee.backup $(TO)

.PHONY: play
play: $(VENV)/ready ## Play games between bots: ARGS="catham-city --seats random,greedy --games 100"; --help says more.
	@$(BIN)/python -m referee.offline $(ARGS)

.PHONY: arena
arena: $(VENV)/ready ## Measure how strong the bots are: ARGS="--ruleset hund-und-katz --seats 2"; --help says more.
	@$(BIN)/python -m referee.offline.arena $(ARGS)

.PHONY: openapi
openapi: $(VENV)/ready-to-test ## Write openapi.yaml anew.
	$(BIN)/python -m referee.openapi

.PHONY: fuzz-api
fuzz-api: $(VENV)/ready-to-test ## Send the API whatever Schemathesis can think of; FUZZ_EXAMPLES says how much.
	FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-500} $(BIN)/pytest tests/api/test_schemathesis.py

.PHONY: campaign-leaks
campaign-leaks: $(VENV)/ready-to-test ## Compare games that differ only in what a caller may not know; ARGS="--positions 50".
	$(BIN)/python -m tests.campaigns.leaks $(ARGS)

.PHONY: campaign-hostile
campaign-hostile: $(VENV)/ready-to-test ## Send the service the worst while others play on: ARGS="--rounds 5000 --idle 3000".
	$(BIN)/python -m tests.campaigns.hostile $(ARGS)

.PHONY: bench
bench: $(VENV)/ready-to-test ## Measure everything in one run: a table, and JSON under var/ (BENCH=--short for a quick look).
	$(BIN)/python -m bench $(BENCH)

.PHONY: live
live: $(VENV)/ready-to-test ## Play whole live games over HTTP, with every second of waiting.
	CAMPAIGN=long $(BIN)/pytest tests/live

.PHONY: bench-catan
bench-catan: $(VENV)/ready-to-test ## Random play beside the PyPI package catanatron, which gets an environment of its own.
	test -x var/catan/bin/python || ($(PYTHON) -m venv var/catan && var/catan/bin/pip install --quiet catanatron==3.2.1)
	$(BIN)/python -m bench.catan --python var/catan/bin/python

.PHONY: campaign-faults
campaign-faults: $(VENV)/ready-to-test ## Kill processes under load and check that every move counts once: ARGS="--minutes 30 --kills 200".
	$(BIN)/python -m tests.campaigns.faults $(ARGS)

.PHONY: campaign-audit
campaign-audit: $(VENV)/ready ## Change every field of stored games, seal them again and hold what is still proved against the judge: ARGS="--games 30".
	$(BIN)/python -m tests.campaigns.forgery $(ARGS)

.PHONY: campaign-races
campaign-races: $(VENV)/ready-to-test ## Post to the same version and with the same key on several web processes, some of which crash: ARGS="--minutes 5".
	$(BIN)/python -m tests.campaigns.races $(ARGS)

.PHONY: campaign-durability
campaign-durability: $(VENV)/ready-to-test ## Kill Redis, tear its file, fill its disk and memory: ARGS="--rounds 20".
	$(BIN)/python -m tests.campaigns.durability $(ARGS)
