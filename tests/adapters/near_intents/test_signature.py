"""Signatures of quotes: over what, for which question, and those of the live service."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from solders.keypair import Keypair

from rhumbline.adapters.near_intents.deployments import PRODUCTION_SIGNER
from rhumbline.adapters.near_intents.signature import is_signed_by
from rhumbline.adapters.near_intents.wire import Echo, QuoteAnswer, QuoteFields, StatusAnswer
from rhumbline.gateways.http.strict_json import read_json
from tests.adapters.near_intents.replay import recording, signed
from tests.adapters.published import published

HERE = Path(__file__).parent
RECORDED_SIGNER = "ed25519:9PLy6vUJSJiVH7Jh6xrMcXwsKys3w16Zh8MuyaVVA3dH"
STAGING_SIGNER = "ed25519:5J5tkaxyPoR3Q9S8LXfo5bWnXK5Z2bctJ4mB9gENh7co"
KEYPAIR = Keypair.from_seed(hashlib.sha256(b"another key").digest())


OLDER = ("status_success_live_2026-06-18", "status_processing_live_2026-06-18")
"""Production's answers from before the address was signed."""
_COMMON = {
    "depositType": "ORIGIN_CHAIN",
    "destinationAsset": "nep141:wrap.near",
    "originAsset": "nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near",
    "recipient": "alice.near",
    "recipientType": "DESTINATION_CHAIN",
    "refundTo": "0x2527D02599Ba641c19FEa793cD0F167589a0f10D",
    "refundType": "ORIGIN_CHAIN",
    "slippageTolerance": 100,
    "swapType": "EXACT_INPUT",
}
GENUINE = (
    (
        "ed25519:omtpiUJ78dKm15DmJ9uFenCwShXSkGFpCtxPguaMVg1wnsUC4qNHtTew2Rop86mDkMAdXE19yknzqHY8i3fG3gp",
        {
            **_COMMON,
            "amount": "150000000",
            "amountIn": "150000000",
            "amountInFormatted": "150.0",
            "amountInUsd": "149.967150000000",
            "amountOut": "29873830734423036398348828",
            "amountOutFormatted": "29.873830734423036398348828",
            "amountOutUsd": "148.174200442738",
            "deadline": "2026-09-28T11:26:52.000Z",
            "dry": True,
            "minAmountIn": "150000000",
            "minAmountOut": "29575092427078806034365339",
            "timestamp": "2026-09-28T10:26:53.822Z",
        },
    ),
    (
        "ed25519:3TpgBQAQ51AvNhSnwDXGJufUWZyH4he4MJvJvCpxW1EZQjkeyWnzK7D8DBe18SZMbLtRCJDryhoZeUT9hyjBXSuf",
        {
            **_COMMON,
            "amount": "20000000",
            "amountIn": "20000000",
            "amountInFormatted": "20.0",
            "amountInUsd": "19.996640000000",
            "amountOut": "3989884828432205272415725",
            "amountOutFormatted": "3.989884828432205272415725",
            "amountOutUsd": "19.869626445592",
            "deadline": "2026-10-01T11:29:43.000Z",
            "depositAddress": "0xabd5745F77fCd032C710a38bF8B6cC8631b2ffcD",
            "dry": False,
            "minAmountIn": "20000000",
            "minAmountOut": "3949985980147883219691567",
            "refundFee": "300000",
            "timeEstimate": 45,
            "timeWhenInactive": "2026-10-01T11:29:43.000Z",
            "timestamp": "2026-09-28T10:29:44.764Z",
            "withdrawFee": "0",
        },
    ),
)
"""What the live service signed, as a public client recorded it on 2026-09-28."""


def genuine(signature: str, fields: dict[str, Any]) -> QuoteAnswer:
    """The answer that these signed fields are of; one field of both parts is signed once."""
    request = {name: value for name, value in fields.items() if name in (*_COMMON, "amount", "dry", "deadline")}
    quote = {name: value for name, value in fields.items() if name not in (*_COMMON, "amount", "dry", "timestamp")}
    document = {"signature": signature, "timestamp": fields["timestamp"], "quoteRequest": request, "quote": quote}
    return read(document)


def read(document: Any) -> QuoteAnswer:
    return QuoteAnswer.model_validate(document)


def is_own(signer: str, answer: QuoteAnswer) -> bool:
    """Whether an answer is signed for the question that it repeats."""
    return is_signed_by(signer, answer.quote_request, answer)


def test_the_full_form_and_the_dry_one() -> None:
    for name in ("quote_reserved", "quote_dry"):
        answer = read(recording(name))
        assert is_own(RECORDED_SIGNER, answer)
        assert not is_own(f"ed25519:{KEYPAIR.pubkey()}", answer)


def test_the_older_form_leaves_out_the_address_and_is_no_signature() -> None:
    """What production signed until June 2026 has only what a dry quote has: anybody may write the address into it."""
    document = recording("quote_reserved")
    dry = {name: value for name, value in document["quote"].items() if name.startswith(("amount", "minAmount"))}
    signature = signed(document | {"quote": dry}, KEYPAIR)["signature"]
    assert not is_own(f"ed25519:{KEYPAIR.pubkey()}", read(document | {"signature": signature}))


def test_keys_and_signatures_that_are_none() -> None:
    answer = read(recording("quote_reserved"))
    assert not is_own("", answer)
    assert not is_own("ed25519:", answer)
    assert not is_own("ed25519:0OIl", answer)
    assert not is_own(RECORDED_SIGNER, read(recording("quote_reserved") | {"signature": "ed25519:1"}))


@pytest.mark.parametrize(("signature", "fields"), GENUINE)
def test_productions_quotes_verify(signature: str, fields: dict[str, Any]) -> None:
    """Two quotes of the live service of 2026-09-28, one dry and one with an address: with the pinned key, unaltered."""
    answer = genuine(signature, fields)
    assert is_own(PRODUCTION_SIGNER, answer)
    assert not is_signed_by(PRODUCTION_SIGNER, {**answer.quote_request, "recipient": "bob.near"}, answer)
    assert not is_own(PRODUCTION_SIGNER, genuine(signature, fields | {"amountOut": fields["amountOut"] + "0"}))


def _quotes(document: Any) -> list[Any]:
    return [document] if "signature" in document else [document["quoteResponse"]]


def test_genuine_answers_are_read_and_verify() -> None:
    """Each published answer is read, and signed by the service's key."""
    answers = published(HERE, "*", read=read_json)
    for name, document in answers.items():
        if isinstance(document, dict) and "status" in document:
            assert StatusAnswer.model_validate(document).swap_details.deposited_amount, name
        for quote in _quotes(document):
            answer = read(quote)
            Echo.model_validate(answer.quote_request)
            assert QuoteFields.model_validate(answer.quote).min_amount_out > 0
            # The status leaves out how long the caller wanted to wait, which is signed too.
            waited = read(quote | {"quoteRequest": answer.quote_request | {"quoteWaitingTimeMs": 3000}})
            assert name in OLDER or is_own(STAGING_SIGNER, answer) or is_own(PRODUCTION_SIGNER, waited), name
    assert len(answers) == 7
