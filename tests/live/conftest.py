"""The real upstreams, asked through our adapters as they are built for the service: for ``make live`` alone.

Settings are read as the service reads them, so credentials and own nodes may come from ``rhumbline.toml`` or the
environment. Nothing is signed and nothing is sent.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from rhumbline.app.adapters import built_adapters, switched_on
from rhumbline.app.chains import build_chains
from rhumbline.app.credentials import credentials_of, lacking
from rhumbline.app.registry import SPECS
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.tokens import fixed_tokens
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.gateways.http.client import HttpClient
from tests.live.adapter_fixture import NOTES, Live
from tests.live.answers import hearing
from tests.live.nodes import answering, hosts, with_nodes


@pytest.fixture(scope="session")
def settings() -> Settings:
    return load_settings()


@pytest.fixture(scope="session", autouse=True)
def internet(settings: Settings) -> None:
    """End at once, with exit code 1, where nobody at all can be reached."""
    wanted = hosts(settings)
    if not answering(wanted.values()):
        pytest.exit(
            f"There is no internet from here: none of {len(set(wanted.values()))} upstreams and nodes takes a "
            "connection. Nothing was checked.",
            returncode=1,
        )


@pytest.fixture(scope="session")
async def live(settings: Settings, pytestconfig: pytest.Config) -> AsyncIterator[Live]:
    notes = pytestconfig.stash[NOTES]
    with hearing(notes) as heard:
        async with HttpClient() as http:
            own = await with_nodes(settings, http)
            chains = build_chains(own, http)
            tokens = TokenCatalog(chains.catalog, fixed_tokens(own, chains), chains.token_readers)
            async with built_adapters(own, chains, tokens) as adapters:
                by_key = {adapter.info.key: adapter for adapter in adapters}
                yield Live(own, chains, tokens, by_key, heard, notes)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[NOTES] = []


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say who was not asked and why, and where answers differ from ours without breaking anything."""
    settings = load_settings()
    asked = {spec.key for spec in switched_on(settings)}
    for spec in SPECS:
        if spec.key not in asked:
            missing = lacking(spec, credentials_of(spec, settings))
            why = f"needs credentials: {', '.join(missing)}" if missing else "is switched off"
            terminalreporter.write_line(f"not asked: {spec.key} {why}")
    notes: list[str] = config.stash[NOTES]
    if notes:
        terminalreporter.section("refusals, and answers that are not like our recordings")
        for note in dict.fromkeys(notes):
            terminalreporter.write_line(note)
