"""OKX on Solana: which tokens it takes, and what its upstream has a transaction run with."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rhumbline.adapters.okx import SPEC
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.domain.errors import NoRoute
from tests.adapters.exchanges.svm.adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.exchanges.svm.test_execution import solana
from tests.adapters.svm_fixture import Solana

__all__ = ["solana"]

SOL = 10**9
USDC = 10**6


@pytest.fixture
async def adapter_fixture(solana: Solana) -> AsyncIterator[AdapterFixture]:
    async with open_adapter(solana, SPEC, Okx) as opened:
        yield opened


async def test_tokens_it_does_not_know(adapter_fixture: AdapterFixture) -> None:
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(adapter_fixture.request("SOL", "WSOL", SOL))
    stranger = replace(adapter_fixture.solana.token("USDC"), address=adapter_fixture.solana.wallet(7))
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(
            replace(adapter_fixture.request("SOL", "USDC", SOL), destination_token=stranger)
        )


async def test_it_runs_with_what_its_upstream_asks_for(adapter_fixture: AdapterFixture) -> None:
    _, draft = await adapter_fixture.drafted(adapter_fixture.request("USDC", "USDT", USDC))
    assert (draft.heap_frame, draft.compute_limit) == (128 * 1024, 400_000)
    assert draft.tables == ("FqeeFKhvn4d19iJA7G4qU9tcfjHNUkEo2rKsht5Btztm",)
    assert not draft.enforces_minimum
