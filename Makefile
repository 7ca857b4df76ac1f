PYTHON ?= $(firstword $(foreach minor,11 12 13,$(shell command -v python3.$(minor))) python3)
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

$(VENV)/ready-to-test: requirements-test.txt $(VENV)/ready client/pyproject.toml
	$(INSTALL) -r requirements-test.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation --editable client
	touch $@

NODE_TOOLS := lint types client browser
$(VENV)/node/%/ready: tests/generators/node/%/package-lock.json $(VENV)/ready-to-test
	mkdir -p $(@D)
	cp tests/generators/node/$*/package.json tests/generators/node/$*/package-lock.json $(@D)
	$(BIN)/npm ci --prefix $(@D) --ignore-scripts --silent
	touch $@

# More than two cores have: a third of the time, tests wait for servers, clocks and browsers.
TEST_PROCESSES ?= 3

.PHONY: test
test: $(VENV)/ready-to-test $(NODE_TOOLS:%=$(VENV)/node/%/ready) ## Run the linters, the type checker and the whole test suite.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n $(TEST_PROCESSES)

.PHONY: lock
lock: $(VENV)/ready-to-test ## Lock the newest versions that requirements*.in allow, with hashes; UPGRADE= keeps the locked versions.
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements.in requirements-test.in -c requirements.txt -o requirements-test.txt
	$(LOCK) requirements-clients.in -o requirements-clients.txt
	for tool in $(NODE_TOOLS); do \
		$(BIN)/npm $(if $(UPGRADE),update,install) --prefix tests/generators/node/$$tool \
			--package-lock-only --omit-lockfile-registry-resolved --silent || exit 1; \
	done

.PHONY: record
record: $(VENV)/ready-to-test ## Regenerate all recorded files of the tests.
	$(BIN)/python -m tests.record

.PHONY: corpus
corpus: $(VENV)/ready-to-test ## Store new games for everything that no stored game covers yet; stored games are not changed.
	$(BIN)/python -m tests.corpus

.PHONY: run
run: $(VENV)/ready ## Serve on 127.0.0.1:8000 with an embedded Redis; Ctrl-C stops everything.
	@OPEN_REGISTRATION=$${OPEN_REGISTRATION:-true} exec $(BIN)/python -m referee.ops.run

.PHONY: cluster
cluster: $(VENV)/ready ## Run two hosts on a cluster of six servers, all on this machine; ARGS="--replicas 2 --port 8080".
	@exec $(BIN)/python -m referee.ops.cluster run $(ARGS)

.PHONY: cluster-status
cluster-status: $(VENV)/ready ## Show the servers of `make cluster`; `python -m referee.ops.cluster kill 0` (isolate, heal, reshard) harms them.
	@$(BIN)/python -m referee.ops.cluster status $(ARGS)

.PHONY: backup
backup: $(VENV)/ready ## Copy all data while the service runs, and verify the copy: TO=/backup/monday.
	@$(BIN)/python -m referee.ops.backup $(TO)

.PHONY: play
play: $(VENV)/ready ## Play games between bots: ARGS="catham-city --seats random,greedy --games 100"; ARGS=--help lists the options.
	@$(BIN)/python -m referee.offline $(ARGS)

.PHONY: plans
plans: $(VENV)/ready ## Play 600 games of the three plans of greedy in Cat & Fish, in every order of seats: SEED=another.
	@$(BIN)/python -m referee.offline cat-and-fish --seats greedy:gear,greedy:ships,greedy:both --permute --games 600 --seed $(or $(SEED),plans)

.PHONY: arena
arena: $(VENV)/ready ## Measure the strength of the bots: ARGS="--ruleset hund-und-katz --seats 2"; ARGS=--help lists the options.
	@$(BIN)/python -m referee.offline.arena $(ARGS)

.PHONY: dist
dist: $(VENV)/ready-to-test ## Build the wheels of the rules, the audit and offline play, and of the client, in dist/.
	$(BIN)/hatchling build --target wheel --directory dist
	cd client && $(abspath $(BIN))/hatchling build --target wheel --directory ../dist

.PHONY: openapi
openapi: $(VENV)/ready-to-test ## Regenerate openapi.yaml.
	$(BIN)/python -m referee.openapi

$(VENV)/openapi-generator/ready: requirements-clients.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements-clients.txt
	touch $@

.PHONY: clients
clients: $(VENV)/ready-to-test $(NODE_TOOLS:%=$(VENV)/node/%/ready) $(VENV)/openapi-generator/ready ## Write clients with five generators to var/clients/ and compile or import each.
	$(BIN)/python -m tests.generators var/clients

.PHONY: fuzz-api
fuzz-api: $(VENV)/ready-to-test ## Test the API with random requests from Schemathesis; FUZZ_EXAMPLES sets the number.
	FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-500} $(BIN)/pytest tests/api/test_schemathesis.py

.PHONY: campaign-leaks
campaign-leaks: $(VENV)/ready-to-test ## Compare the answers in games that differ only in hidden information: ARGS="--positions 50".
	$(BIN)/python -m tests.campaigns.leaks $(ARGS)

.PHONY: campaign-page
campaign-page: $(VENV)/ready-to-test ## Play whole games of every title with mouse, keyboard and touch: ARGS="--titles fangfrisch --ways touch".
	$(BIN)/python -m tests.page.campaign $(ARGS)

.PHONY: page-pictures
page-pictures: $(VENV)/ready-to-test ## Take pictures of every board at three moments, wide, on a phone and in the dark: DIRECTORY=var/boards.
	$(BIN)/python -m tests.page.gallery $${DIRECTORY:-var/boards} $(ARGS)

.PHONY: campaign-hostile
campaign-hostile: $(VENV)/ready-to-test ## Attack the service with hostile requests while others play: ARGS="--rounds 5000 --idle 3000".
	$(BIN)/python -m tests.campaigns.hostile $(ARGS)

.PHONY: campaign-cluster
campaign-cluster: $(VENV)/ready-to-test ## Harm a cluster while games are played, and look for lost moves: ARGS="--minutes 5 --replicas-needed 0".
	$(BIN)/python -m tests.campaigns.cluster $(ARGS)

.PHONY: cluster-demo
cluster-demo: $(VENV)/ready-to-test ## Kill a master, cut one off and move slots while games are played; prints the pause and `lost 0`.
	$(BIN)/python -m tests.campaigns.cluster --minutes 0.7 --nemeses kill,isolate,reshard

.PHONY: bench
bench: $(VENV)/ready-to-test ## Run all benchmarks, print a table and write JSON to var/; BENCH=--short takes less time.
	$(BIN)/python -m bench $(BENCH)

.PHONY: live
live: $(VENV)/ready-to-test ## Play whole live games over HTTP in real time.
	CAMPAIGN=long $(BIN)/pytest tests/live

.PHONY: types
types: $(VENV)/ready-to-test $(VENV)/node/types/ready ## Regenerate the types of the page from openapi.yaml.
	$(BIN)/python -m tests.page.types

.PHONY: page-firefox
page-firefox: $(VENV)/ready-to-test ## Play, look back, audit and judge in Firefox: the one on the PATH, or FIREFOX.
	$(BIN)/python -m tests.page.firefox

.PHONY: bench-catan
bench-catan: $(VENV)/ready-to-test ## Compare random play with the PyPI package catanatron, in an environment of its own.
	test -x var/catan/bin/python || ($(PYTHON) -m venv var/catan && var/catan/bin/pip install --quiet catanatron==3.2.1)
	$(BIN)/python -m bench.catan --python var/catan/bin/python

.PHONY: campaign-faults
campaign-faults: $(VENV)/ready-to-test ## Kill processes under load and check that every move counts once: ARGS="--minutes 30 --kills 200".
	$(BIN)/python -m tests.campaigns.faults $(ARGS)

.PHONY: campaign-audit
campaign-audit: $(VENV)/ready ## Change every field of stored games, seal them again, and check with the judge what is still proved: ARGS="--games 30".
	$(BIN)/python -m tests.campaigns.forgery $(ARGS)

.PHONY: campaign-races
campaign-races: $(VENV)/ready-to-test ## Post moves to the same version and with the same key to several web processes, some of which crash: ARGS="--minutes 5".
	$(BIN)/python -m tests.campaigns.races $(ARGS)

.PHONY: campaign-log
campaign-log: $(VENV)/ready-to-test ## Let two sequencers write the transparency log under load, and kill and stop them: ARGS="--seconds 60".
	$(BIN)/python -m tests.campaigns.sequencers $(ARGS)

.PHONY: campaign-durability
campaign-durability: $(VENV)/ready-to-test ## Kill Redis, truncate its file, fill its disk and memory: ARGS="--rounds 20".
	$(BIN)/python -m tests.campaigns.durability $(ARGS)
