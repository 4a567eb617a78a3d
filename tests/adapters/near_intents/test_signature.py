"""Signatures of quotes: both forms that the service was seen to sign, and genuine answers where they are at hand."""

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.adapters.near_intents.deployments import PRODUCTION_SIGNER
from rhumbline.adapters.near_intents.signature import is_signed_by, is_well_formed
from rhumbline.adapters.near_intents.wire import Echo, QuoteAnswer, QuoteFields, StatusAnswer
from rhumbline.gateways.sound_json import read_json
from tests.adapters.near_intents.replay import SIGNER, recording

SAMPLES = Path(__file__).parents[4] / "shared" / "adapters" / "samples"
STAGING_SIGNER = "ed25519:5J5tkaxyPoR3Q9S8LXfo5bWnXK5Z2bctJ4mB9gENh7co"
KEYPAIR = Keypair.from_seed(hashlib.sha256(b"another key").digest())


def read(document: Any) -> QuoteAnswer:
    return QuoteAnswer.model_validate(document)


def test_the_full_form_and_the_dry_one() -> None:
    assert is_signed_by(SIGNER, read(recording("quote_reserved")))
    assert is_signed_by(SIGNER, read(recording("quote_dry")))
    assert not is_signed_by(f"ed25519:{KEYPAIR.pubkey()}", read(recording("quote_reserved")))


def test_the_older_form_covers_all_but_the_deposit() -> None:
    document = recording("quote_reserved")
    request, quote = document["quoteRequest"], document["quote"]
    left_out = {"depositMode", "confidentiality", "quoteWaitingTimeMs", "appFees"}
    signed = {name: value for name, value in request.items() if name not in left_out}
    signed |= {name: value for name, value in quote.items() if name.startswith(("amount", "minAmount"))}
    signed["timestamp"] = document["timestamp"]
    digest = hashlib.sha256(json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()).digest()
    document["signature"] = f"ed25519:{KEYPAIR.sign_message(str(Pubkey.from_bytes(digest)).encode())}"
    signer = f"ed25519:{KEYPAIR.pubkey()}"
    assert is_signed_by(signer, read(document))
    moved = copy.deepcopy(document)
    moved["quote"]["depositAddress"] = "0x" + "11" * 20
    assert is_signed_by(signer, read(moved))
    cheaper = copy.deepcopy(document)
    cheaper["quote"]["minAmountOut"] = "1"
    assert not is_signed_by(signer, read(cheaper))


def test_keys_and_signatures_that_are_none() -> None:
    answer = read(recording("quote_reserved"))
    assert not is_signed_by("", answer)
    assert not is_signed_by("ed25519:0OIl", answer)
    assert not is_well_formed(answer.signature.removeprefix("ed25519:"))
    assert not is_signed_by(SIGNER, read(recording("quote_reserved") | {"signature": "ed25519:1"}))


def _quotes(document: Any) -> list[Any]:
    return [document] if "signature" in document else [document["quoteResponse"]]


def test_genuine_answers_are_read_and_verify() -> None:
    """Where the published answers are at hand: each is read, and signed by the service's key."""
    files = sorted(SAMPLES.glob("*/NEAR_INTENTS/*.json"))
    for path in files:
        document = read_json(path.read_bytes())
        if isinstance(document, dict) and "status" in document:
            assert StatusAnswer.model_validate(document).swap_details.deposited_amount, path.name
        for quote in _quotes(document):
            answer = read(quote)
            Echo.model_validate(answer.quote_request)
            assert QuoteFields.model_validate(answer.quote).min_amount_out > 0
            # The status leaves out how long the caller wanted to wait, which is signed too.
            waited = read(quote | {"quoteRequest": answer.quote_request | {"quoteWaitingTimeMs": 3000}})
            assert is_signed_by(STAGING_SIGNER, answer) or is_signed_by(PRODUCTION_SIGNER, waited), path.name
    assert not files or len(files) >= 7
