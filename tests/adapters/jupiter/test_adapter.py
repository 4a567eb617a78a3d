"""What goes out is exactly what Jupiter documents, and what comes back becomes the instructions of a draft."""

from base64 import b64encode
from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.adapters.jupiter import SPEC
from rhumbline.adapters.jupiter.adapter import MOST_ACCOUNTS, JupiterAdapter
from rhumbline.adapters.jupiter.checking import ASSERTED_BYTES, RESERVED_BYTES
from rhumbline.adapters.jupiter.deployments import SOLANA
from rhumbline.domain import errors
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import LookupTable, SvmDraft, SvmInstruction
from rhumbline.gateways.svm.address import associated_token_address, encode_address
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, SyncNative, SystemTransfer, decode
from rhumbline.gateways.svm.messages import LARGEST, measure
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from tests.adapters.jupiter.stub_upstream import (
    BUYING,
    CHAIN,
    SELLING,
    SOL,
    STRANGER,
    USDC,
    WALLET,
    WALLETS_SOL,
    WALLETS_USDC,
    WSOL,
    StubUpstream,
    bought,
    sold,
)
from tests.adapters.svm_accounts import tokens

PROGRAM = SPEC.deployments[SOLANA].program
MADE_SOL = CreateTokenAccount(WALLET, WALLETS_SOL, WALLET, WRAPPED_SOL, SPL)
MADE_USDC = CreateTokenAccount(WALLET, WALLETS_USDC, WALLET, USDC.address, SPL)
CLOSED = CloseAccount(SPL, WALLETS_SOL, WALLET, WALLET)


async def drafted(stub_upstream: StubUpstream, request: QuoteRequest) -> SvmDraft:
    return await stub_upstream.adapter.build(await stub_upstream.adapter.quote(request))


def words(draft: SvmDraft) -> list[object]:
    """The instructions, read; the swap stays as it is."""
    return [decode(each) or each for each in draft.instructions]


async def test_the_request(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(BUYING)
    (asked,) = stub_upstream.upstream.asked
    assert (asked.method, asked.path) == ("GET", "/swap/v2/build")
    assert asked.query == {
        "inputMint": USDC.address,
        "outputMint": WRAPPED_SOL,
        "amount": "10000000",
        "taker": WALLET,
        "slippageBps": "100",
        "wrapAndUnwrapSol": "true",
        "maxAccounts": str(MOST_ACCOUNTS[0]),
    }
    assert asked.headers["x-api-key"] == "example-key"
    # Jupiter promises one unit more: it rounds up.
    assert (quote.output_amount, quote.min_output_amount) == (98_346_493, 97_363_028)
    assert quote.price_impact_bps == 0


async def test_nothing_is_asked_when_building(stub_upstream: StubUpstream) -> None:
    await drafted(stub_upstream, BUYING)
    assert len(stub_upstream.upstream.asked) == 1


def test_without_a_key_there_is_no_header() -> None:
    assert SPEC.headers({}) == {}
    assert SPEC.calls_per_s == 0.5


async def test_a_native_output_is_unwrapped_by_closing_what_was_made_for_it(stub_upstream: StubUpstream) -> None:
    draft = await drafted(stub_upstream, BUYING)
    made, swap, closed = words(draft)
    assert (made, closed) == (MADE_SOL, CLOSED)
    assert isinstance(swap, SvmInstruction)
    assert swap.program == draft.program == PROGRAM
    assert draft.programs == {PROGRAM}
    assert draft.enforces_minimum
    assert draft.tables == ("FqeeFKhvn4d19iJA7G4qU9tcfjHNUkEo2rKsht5Btztm",)
    assert (draft.compute_limit, draft.heap_frame, draft.delegate, draft.co_signers) == (None, None, None, ())


async def test_an_account_that_was_there_is_there_again_with_what_it_held(stub_upstream: StubUpstream) -> None:
    stub_upstream.accounts[WALLETS_SOL] = tokens(WALLET, WRAPPED_SOL, 0, native=True)
    assert words(await drafted(stub_upstream, BUYING))[2:] == [CLOSED, MADE_SOL]
    stub_upstream.accounts[WALLETS_SOL] = tokens(WALLET, WRAPPED_SOL, 7, native=True)
    *_, made, wrapped, counted = words(await drafted(stub_upstream, BUYING))
    assert made == MADE_SOL
    assert (wrapped, counted) == (SystemTransfer(WALLET, WALLETS_SOL, 7), SyncNative(SPL, WALLETS_SOL))


async def test_a_native_input_is_wrapped_and_what_was_there_stays(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/build", sold())
    wrapping = [MADE_SOL, SystemTransfer(WALLET, WALLETS_SOL, 100_000_000), SyncNative(SPL, WALLETS_SOL), MADE_USDC]
    draft = words(await drafted(stub_upstream, SELLING))
    assert (draft[:4], draft[5:]) == (wrapping, [CLOSED])
    stub_upstream.accounts[WALLETS_SOL] = tokens(WALLET, WRAPPED_SOL, 0, native=True)
    draft = words(await drafted(stub_upstream, SELLING))
    assert (draft[:4], draft[5:]) == (wrapping, [])


async def test_wrapped_sol_is_a_token_and_neither_wrapped_nor_closed(stub_upstream: StubUpstream) -> None:
    body = sold()
    body |= {"setupInstructions": body["setupInstructions"][3:], "cleanupInstruction": None}
    stub_upstream.upstream.says("/build", body)
    draft = await drafted(stub_upstream, replace(SELLING, origin_token=WSOL))
    assert words(draft)[:-1] == [MADE_USDC]
    assert stub_upstream.upstream.asked[0].query["wrapAndUnwrapSol"] == "false"


async def test_accounts_for_tokens_on_the_way_are_made_once(stub_upstream: StubUpstream) -> None:
    other = associated_token_address(WALLET, STRANGER, SPL)
    between = {
        **(made := bought()["setupInstructions"][0]),
        "accounts": [
            *made["accounts"][:1],
            made["accounts"][1] | {"pubkey": other},
            made["accounts"][2],
            made["accounts"][3] | {"pubkey": STRANGER},
            *made["accounts"][4:],
        ],
    }
    stub_upstream.upstream.says("/build", bought() | {"setupInstructions": [made, made, between, between]})
    draft = words(await drafted(stub_upstream, BUYING))
    assert draft[:2] == [MADE_SOL, CreateTokenAccount(WALLET, other, WALLET, STRANGER, SPL)]
    assert len(draft) == 4


async def test_tokens_for_somebody_else_are_asked_for_by_their_account(stub_upstream: StubUpstream) -> None:
    theirs = associated_token_address(STRANGER, USDC.address, SPL)
    body = sold()
    body["swapInstruction"]["accounts"][5]["pubkey"] = theirs
    stub_upstream.upstream.says("/build", body)
    draft = await drafted(stub_upstream, replace(SELLING, receiver=STRANGER, payout_address=STRANGER))
    assert stub_upstream.upstream.asked[0].query["destinationTokenAccount"] == theirs
    assert CreateTokenAccount(WALLET, theirs, STRANGER, USDC.address, SPL) in words(draft)


async def test_the_genuine_route_leaves_room_in_its_transaction(stub_upstream: StubUpstream) -> None:
    """It has what others measured; the service's own is added later."""
    draft = await drafted(stub_upstream, BUYING)
    ((address, entries),) = bought()["addressesByLookupTableAddress"].items()
    size = measure(WALLET, draft.instructions, [LookupTable(address, dict(enumerate(entries)))])
    assert (size.bytes_used, size.accounts) == (739, 21)
    assert size.bytes_used + RESERVED_BYTES == 972
    assert size.bytes_used + RESERVED_BYTES + ASSERTED_BYTES <= LARGEST


async def test_one_that_does_not_fit_is_asked_for_again_with_fewer_accounts(stub_upstream: StubUpstream) -> None:
    body = bought() | {"addressesByLookupTableAddress": None}
    for number in range(3):
        pool = encode_address(bytes([number + 1]) * 32)
        body["swapInstruction"]["accounts"].append({"pubkey": pool, "isSigner": False, "isWritable": True})
        stub_upstream.upstream.says("/build", body)
    with pytest.raises(errors.NoRoute, match="room"):
        await stub_upstream.adapter.quote(BUYING)
    assert [asked.query["maxAccounts"] for asked in stub_upstream.upstream.asked] == ["32", "20"]


async def test_a_minimum_that_is_not_there(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(BUYING)
    for none in (None, 0, quote.output_amount + 1):
        with pytest.raises(errors.RequestRejected):
            await stub_upstream.adapter.build(replace(quote, min_output_amount=none))
    with pytest.raises(errors.SlippageTooTight):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=(quote.min_output_amount or 0) + 1))


async def test_nothing_that_arrives_is_no_offer(stub_upstream: StubUpstream) -> None:
    body = bought() | {"outAmount": "0", "otherAmountThreshold": "0"}
    data = bytes.fromhex("bb64facc31c4af14809698000000000000000000000000006400000000000100000000")
    body["swapInstruction"]["data"] = b64encode(data).decode()
    stub_upstream.upstream.says("/build", body)
    with pytest.raises(errors.BelowMinimum):
        await stub_upstream.adapter.quote(BUYING)


@pytest.mark.parametrize("amount", [0, -1, 2**64])
async def test_amounts_that_no_token_has(stub_upstream: StubUpstream, amount: int) -> None:
    with pytest.raises(errors.RequestRejected):
        await stub_upstream.adapter.quote(replace(BUYING, amount=amount))
    assert stub_upstream.upstream.asked == []


async def test_what_is_no_token_is_not_asked_about(stub_upstream: StubUpstream) -> None:
    stub_upstream.accounts.clear()
    with pytest.raises(errors.NoRoute):
        await stub_upstream.adapter.quote(BUYING)
    assert stub_upstream.upstream.asked == []


async def test_an_account_of_wrapped_sol_that_somebody_else_can_close(stub_upstream: StubUpstream) -> None:
    stub_upstream.accounts[WALLETS_SOL] = tokens(STRANGER, WRAPPED_SOL, 0, native=True)
    with pytest.raises(errors.NoRoute, match="alone"):
        await stub_upstream.adapter.quote(BUYING)


async def test_without_a_node_nothing_is_known(stub_upstream: StubUpstream) -> None:
    alone = JupiterAdapter(replace(stub_upstream.adapter.context, svm_rpcs={}))
    with pytest.raises(errors.UpstreamFailed, match="node"):
        await alone.quote(BUYING)


async def test_what_is_supported(stub_upstream: StubUpstream) -> None:
    supports = stub_upstream.adapter.supports
    other = replace(CHAIN, id=5)
    assert supports(BUYING)
    assert supports(SELLING)
    assert supports(replace(SELLING, receiver=STRANGER, payout_address=STRANGER))
    assert not supports(replace(BUYING, receiver=STRANGER, payout_address=STRANGER))
    assert not supports(replace(BUYING, taker=STRANGER))
    assert not supports(replace(BUYING, origin_token=WSOL))
    assert not supports(replace(BUYING, origin_token=SOL, destination_token=WSOL))
    assert not supports(replace(BUYING, destination=other))
    assert not supports(replace(BUYING, origin=other, destination=other))


@pytest.mark.parametrize(("share", "bps"), [(Fraction(1, 3), "3333"), (Fraction(1), "10000"), (Fraction(2), "10000")])
async def test_slippage_is_rounded_down(stub_upstream: StubUpstream, share: Fraction, bps: str) -> None:
    with pytest.raises(errors.UpstreamFailed, match="slippage"):
        await stub_upstream.adapter.quote(replace(BUYING, slippage=share))
    assert stub_upstream.upstream.asked[0].query["slippageBps"] == bps


def named(**changes: object) -> dict[str, object]:
    """The answer to the question for 5 USDC; no printed one was found: the fields are those of the OpenAPI document."""
    terms = {"inputMint": WRAPPED_SOL, "inAmount": "41000000", "outputMint": USDC.address, "outAmount": "5000000"}
    return {**terms, "otherAmountThreshold": "41205000", "swapMode": "ExactOut", "slippageBps": 50, **changes}


async def test_the_input_for_an_output_is_asked_for_where_no_price_tells_it(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/quote", named())
    adapter = stub_upstream.adapter
    assert await adapter.input_for(SELLING, 5_000_000) == 41_000_000
    (asked,) = stub_upstream.upstream.asked
    assert (asked.path, asked.query, asked.headers["x-api-key"]) == (
        "/swap/v1/quote",
        {"inputMint": WRAPPED_SOL, "outputMint": USDC.address, "amount": "5000000", "swapMode": "ExactOut"},
        "example-key",
    )
    assert [adapter.names_input(SELLING, priced=priced) for priced in (True, False)] == [False, True]


@pytest.mark.parametrize(
    "changes",
    [
        # The newer endpoint ignores the mode, and would sell the wanted output.
        {"swapMode": "ExactIn"},
        {"inputMint": USDC.address},
        {"outputMint": WRAPPED_SOL},
        {"outAmount": "4999999"},
        {"inAmount": "1.5"},
        {"error": "Could not find any route"},
    ],
)
async def test_an_answer_to_another_question_names_no_input(
    stub_upstream: StubUpstream, changes: dict[str, object]
) -> None:
    stub_upstream.upstream.says("/quote", named(**changes))
    with pytest.raises(errors.AdapterError):
        await stub_upstream.adapter.input_for(SELLING, 5_000_000)
