"""Answers that others published."""

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from rhumbline.adapters.okx.adapter import OkxAdapter
from rhumbline.adapters.okx.deployments import DEPLOYMENTS
from rhumbline.adapters.okx.wire import Envelope
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.address import checksummed
from tests.adapters.exchanges.stub_upstream import REQUEST, USDC, StubUpstream
from tests.adapters.published import published

HERE = Path(__file__).parent
THEN = datetime(2026, 3, 18, 5, 38, 56, tzinfo=UTC)


def test_every_published_envelope_is_read() -> None:
    for sample in published(HERE, "*_docs*").values():
        assert Envelope.model_validate(sample).code == "0"


async def test_a_genuine_answer_passes_quote_and_build(stub_upstream: StubUpstream) -> None:
    """Of 1 USDC for USDT at 1 %, by the router of its day and at its time."""
    for genuine in published(HERE, "swap_v6_*").values():
        stub_upstream.upstream.says("/swap", genuine)
        tether = Token(1, "0xdAC17F958D2ee523a2206206994597C13D831ec7", "USDT", 6, "Tether USD")
        wallet = checksummed("0x34aabb238177ef195ed90fea056edd6648732014")
        asked = replace(
            REQUEST, origin_token=USDC, destination_token=tether, amount=10**6, slippage=Fraction(1, 100),
            sender=wallet, receiver=wallet, taker=wallet, payout_address=wallet,
        )  # fmt: skip
        router = "0x5E1f62Dac767b0491e3CE72469C217365D5B48cC"
        places = {1: replace(DEPLOYMENTS[1], routers=(router,))}
        adapter = OkxAdapter(replace(stub_upstream.adapter.context, deployments=places, clock=lambda: THEN))
        quote = await adapter.quote(asked)
        assert (quote.output_amount, quote.min_output_amount) == (999_701, 989_703)
        built = await adapter.build(quote)
        assert isinstance(built, EvmTransaction)
        assert (built.to, built.value, built.spender) == (router, 0, DEPLOYMENTS[1].token_approve)
        today = OkxAdapter(replace(stub_upstream.adapter.context, clock=lambda: THEN))
        with pytest.raises(UpstreamFailed, match="router"):
            await today.quote(asked)


def test_what_is_approved_is_what_was_published() -> None:
    for sample in published(HERE, "supported_chain*").values():
        for chain in sample["data"]:
            place = DEPLOYMENTS[int(chain["chainIndex"])]
            assert place.token_approve == checksummed(chain["dexTokenApproveAddress"])
