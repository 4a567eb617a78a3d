# The targets set up what they need by themselves; nothing but Python ≥ 3.11, make and a C library is assumed.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Without kept bytecode each start of a program compiles all that it imports anew, which takes seconds.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin
PORT ?= 8700
ONCE ?=
ONLY ?=
SEED ?=
WRITE ?=
SECONDS ?= 600
MINUTES ?=
SINCE ?=
CHECK ?=
TAG ?=
FORGE_LOG := .rhumbline/forge.log
.DEFAULT_GOAL := help
.PHONY: help setup demo dev test coverage check quick live bench attack chaos operations campaign format lock package texts element clients contracts program fuzz audit analyse site load clean

help: ## say what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: ## virtual environment, Node and npm packages, all pinned
	@scripts/setup

demo: setup ## the main job on local chains: quote, sign, send, track (PORT=8700, ONCE=1 to end after the story)
	@exec $(BIN)/rhumbline devnet --story --end-with-parent --port $(PORT) $(if $(ONCE),--once)

dev: setup ## serve, and start again when a source changes: rhumbline.toml where there is one, else local chains (PORT=8700)
	@exec $(BIN)/python scripts/dev.py -- $(BIN)/rhumbline $(if $(wildcard rhumbline.toml),serve,devnet --end-with-parent) --port $(PORT)

test: setup ## every test but the rules of the house and of deployment, which are a part of the checks
	@mkdir -p .rhumbline
	@(cd contracts && exec ../node_modules/.bin/forge test) > $(FORGE_LOG) 2>&1 & forge=$$!; trap "kill $$forge" INT TERM; \
	$(BIN)/pytest -n 5 --dist loadfile --ignore=tests/house --ignore=tests/deploy; tests=$$?; \
	wait $$forge && tail -n 1 $(FORGE_LOG) || { cat $(FORGE_LOG); exit 1; }; exit $$tests

coverage: setup ## every test of the service, with branch coverage: half as long again
	@$(BIN)/pytest -n 3 --dist loadfile --cov --cov-report=term --cov-fail-under=85

check: setup ## linters, types, floors, deployment, and whether the compiled contracts are what the sources say
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@node_modules/@biomejs/cli-linux-x64/biome check --error-on-warnings web clients
	@node_modules/.bin/tsc -p web
	@node_modules/.bin/tsc -p web/test
	@node_modules/.bin/tsc -p web/package --noEmit
	@node_modules/.bin/tsc -p clients/typescript --noEmit
	@$(BIN)/python -m clients.generate --check
	@$(BIN)/python scripts/planted_secrets.py
	@scripts/site
	@$(BIN)/python contracts/build.py --check
	@$(BIN)/python -m rhumbline.devnet.own_contracts --check
	@$(BIN)/python -m rhumbline.devnet.upstreams.settlement --check
	@$(BIN)/pytest -q -n 2 --dist load -p no:cacheprovider tests/deploy tests/house

texts: setup ## bring the catalogues of the pages' texts up to date with the templates and the code
	@$(BIN)/python -m scripts.texts

quick: setup ## linters, types, floors, and the unit tests of what changed since main (SINCE=<commit>)
	@$(BIN)/python scripts/quick.py $(if $(SINCE),--since $(SINCE))

live: setup ## ask the real upstreams and public nodes, compare with what is recorded (needs internet; part of nothing else)
	@$(BIN)/pytest -q -p no:cacheprovider tests/live

bench: setup ## measure against the goals (ONLY=<name> for one)
	@$(BIN)/python -m bench $(ONLY)

attack: setup ## lie to the service in every upstream's name and see what arrives (ONLY=<key>, SEED=<number>, WRITE=1)
	@$(BIN)/python -m attack $(ONLY) $(if $(SEED),--seed $(SEED)) $(if $(WRITE),--write)
	@$(BIN)/python -m attack $(ONLY) $(if $(SEED),--seed $(SEED)) --outputs

chaos: setup ## break all that the service needs, row by row: nothing may be lost (ONLY=<row>, SEED=<number>, WRITE=1; 30 minutes)
	@$(BIN)/python -m chaos $(ONLY) $(if $(SEED),--seed $(SEED)) $(if $(WRITE),--write)

operations: setup ## the lines of docs/ for Debian word by word: deploy, kill, back up, restore, upgrade, rotate (10 minutes)
	@timeout --kill-after=60 1800 $(BIN)/pytest -s tests/deploy/debian.py

fuzz: setup ## give every decoder of foreign bytes what hostile peers might send (SECONDS=600, SEED=<number>, ONLY=<name>)
	@PYTHONPATH=clients/python/src $(BIN)/python -m fuzz $(if $(ONLY),"$(ONLY)") --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

audit: setup ## known vulnerabilities of all locked packages (needs internet; exit 1 if there are any, 3 if not all could be asked for)
	@$(BIN)/python scripts/audit.py

analyse: setup ## static analysis of the contracts by slither: no finding without a reason (fetches it; two minutes)
	@$(BIN)/python scripts/analyse.py

load: setup ## mixed traffic on 1, 2 and 4 processes to saturation, then ten minutes (25 minutes; MINUTES=, ONLY=<part>, WRITE=1)
	@$(BIN)/python -m load $(if $(ONLY),--only $(ONLY)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(WRITE),--write)

campaign: setup ## what the tests run a sample of, at length: calls of the contracts, quotes at random, strangers, empty wallets
	@cd contracts && FOUNDRY_PROFILE=campaign ../node_modules/.bin/forge test
	@RANDOM_QUOTES=1000 UNFUNDED_PAIRS=1000 STRANGERS=300 CONTRACT_EXAMPLES=120 $(BIN)/pytest tests/e2e/test_invariants.py \
		tests/e2e/test_unfunded.py tests/e2e/test_contract.py tests/tracking/svm/test_stranger_flood.py
	@EXACT_OUTPUTS=500 $(BIN)/pytest -s tests/e2e/test_routes.py tests/e2e/test_exact_output.py
	@POOL_QUOTES=40000 POOL_ORDERS=500 $(BIN)/pytest tests/liquidity/test_paths.py tests/adapters/onchain/test_plans.py \
		tests/adapters/onchain/test_many_pools.py tests/liquidity/kinds/test_curve_kind.py
	@POOL_QUOTES=24000 $(BIN)/pytest -n 2 tests/liquidity/exact
	@$(BIN)/pytest tests/deploy/prometheus.py
	@FETCH_PACKAGES=1 $(BIN)/pytest tests/portal/next_app.py tests/e2e/test_first_swap.py \
		tests/e2e/test_python_client.py tests/e2e/test_typescript_client.py tests/e2e/test_mcp_server.py tests/e2e/mcp_inspector.py
	@EVERY_SIZE=1 $(BIN)/pytest tests/portal
	@FAKE_CLOCKS=1 $(BIN)/pytest tests/tracking/test_processes.py
	@PROPERTY_EXAMPLES=1000 $(BIN)/pytest -n 2 -m hypothesis

package: setup ## what a release consists of, into .rhumbline/package: wheel, its SBOM, clients, npm package (TAG=v1.2.3 must be the version)
	@TAG="$(TAG)" scripts/package

site: setup ## build the guide of /docs/guide/ out of docs/: each fault in it by its place
	@scripts/site

element: setup ## pack the npm package @rhumbline/element into .rhumbline/element
	@node web/package.mjs

clients: setup ## generate the clients anew, and pack both into .rhumbline/clients
	@$(BIN)/python -m clients.generate
	@rm -rf .rhumbline/clients
	@cd clients/python && ../../$(BIN)/python -m hatchling build -d ../../.rhumbline/clients/python
	@node clients/typescript/package.mjs

contracts: setup ## compile the contracts anew and write their artifacts
	@$(BIN)/python contracts/build.py

program: setup ## compile the programs of the sandbox's Solana chain anew (fetches a compiler; CHECK=1 only compares)
	@scripts/program $(if $(CHECK),--check)

format: setup ## put the sources into shape
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .
	@node_modules/@biomejs/cli-linux-x64/biome check --write web clients

lock: setup ## resolve the Python dependencies anew
	@scripts/lock --upgrade

clean: ## remove what the targets made, caches included
	rm -rf .venv node_modules .rhumbline contracts/out contracts/cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
