"""OKX's answers for Solana, read from a recording in the documented shape; what differs from the question is refused.

No genuine answer of v6 was found: the recording is the emulator's, for the vendor's own words and forms.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from struct import pack
from typing import Any

import pytest

from rhumbline.adapters.okx.deployments import DEPLOYMENTS, NEWEST, OLDER, SOLANA
from rhumbline.adapters.okx.svm.checking import check_answer
from rhumbline.adapters.okx.svm.route import OLDER_TOB, OLDER_TOC, SWAP, SWAP_TOC, read_route
from rhumbline.adapters.okx.svm.wire import SolanaSwap
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.errors import AdapterError, NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.gateways.svm.base58 import encode
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts
from tests.adapters.exchanges.exchange import put
from tests.adapters.exchanges.recorded import recording

WALLET = "AqynRZwvVqUPRwRJXvm6odUb3t93fDjnWe3p6BeuUFxD"
STRANGER = "3wrasLHeCWAF9DbTcD9LpjLJHV3roCoZPnPAttpE3pwm"
USDC, USDT = "8KiiZsrofAYM9zK8xQKYbDEnhRqnoSLste2jvC93TXDA", "JEXWpS6DQdu9VPSMqDRHS84gD6ap4ZXauDtSi3cAa8y"
OUTPUT = 99_985_001
SOLD, BOUGHT = (Token(SOLANA, mint, "T", 6, "Token") for mint in (USDC, USDT))
CHAIN = Chain(SOLANA, "sol", "Solana", ChainType.SVM, SOLD, mainnet=True)
REQUEST = QuoteRequest(
    CHAIN, CHAIN, SOLD, BOUGHT, 100_000_000, sender=WALLET, receiver=WALLET, taker=WALLET, payout_address=WALLET,
    slippage=Fraction(5, 1000), deadline=1_900_000_000,
)  # fmt: skip
Body = dict[str, Any]
U16, U30, U64 = 2**16 - 1, 2**30 - 1, 2**64 - 1


def said() -> Body:
    body: Body = recording(Path(__file__).parents[1], "swap_instruction.json")["data"]
    return body


def checked(body: Body, request: QuoteRequest = REQUEST) -> Any:
    return check_answer(read_answer(SolanaSwap, body), SwapAccounts(request, (SPL, SPL)), DEPLOYMENTS[SOLANA])


def swap_of(body: Body) -> Body:
    found: Body = body["instructionLists"][-1]
    return found


def changed(path: str, value: object) -> Body:
    return put(said(), path, value)


def altered(change: Callable[[bytearray], None]) -> Body:
    body = said()
    data = bytearray(b64decode(swap_of(body)["data"]))
    change(data)
    swap_of(body)["data"] = b64encode(data).decode()
    return body


def test_what_is_taken_of_an_answer() -> None:
    swap = checked(said())
    assert (swap.route.expected, swap.route.minimum) == (OUTPUT, OUTPUT * 9950 // 10_000)
    assert (swap.budget.units, swap.budget.heap) == (400_000, 128 * 1024)
    assert swap.tables == ("FqeeFKhvn4d19iJA7G4qU9tcfjHNUkEo2rKsht5Btztm",)
    assert len(swap.making) == 1
    assert not swap.enforces


def test_data_may_be_written_in_base58() -> None:
    body = said()
    for each in body["instructionLists"]:
        each["data"] = encode(b64decode(each["data"]))
    assert checked(body) == checked(said())


def test_tables_may_be_missing() -> None:
    assert checked(said() | {"addressLookupTableAccount": None}).tables == ()


def test_the_native_asset_is_another_name_of_wrapped_sol() -> None:
    request = replace(REQUEST, origin_token=replace(SOLD, address=WRAPPED_SOL))
    body = changed("routerResult.fromToken.tokenContractAddress", NATIVE_SVM)
    with pytest.raises(UpstreamFailed, match="source"):
        checked(body, request)
    with pytest.raises(UpstreamFailed, match="input token"):
        checked(body)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("routerResult.chainIndex", "1"),
        ("routerResult.fromToken.tokenContractAddress", STRANGER),
        ("routerResult.toToken.tokenContractAddress", STRANGER),
        ("routerResult.fromTokenAmount", "100000001"),
        ("routerResult.toTokenAmount", str(OUTPUT + 1)),
        ("tx.minReceiveAmount", "99485074"),
        ("instructionLists", []),
        ("instructionLists.0.data", "AgAAAA=="),
        ("instructionLists.1.data", b64encode(pack("<BI", 2, 5)).decode()),
        ("instructionLists.2.programId", STRANGER),
        ("instructionLists.3.accounts.0.pubkey", STRANGER),
        ("instructionLists.3.accounts.1.pubkey", STRANGER),
        ("instructionLists.3.accounts.2.pubkey", STRANGER),
        ("instructionLists.3.programId", SPL),
        ("instructionLists.-1.programId", STRANGER),
        ("instructionLists.-1.data", "not in any alphabet"),
        ("instructionLists.-1.accounts", []),
        *((f"instructionLists.-1.accounts.{place}.pubkey", STRANGER) for place in (0, 1, 2, 3, 4, 10, 11, 14)),
        ("instructionLists.-1.accounts.20.isSigner", True),
        ("instructionLists.-1", said()["instructionLists"][3]),
    ],
)
def test_an_answer_of_something_else_is_refused(path: str, value: object) -> None:
    with pytest.raises(UpstreamFailed):
        checked(changed(path, value))


def test_two_swaps_are_one_too_many() -> None:
    body = said()
    body["instructionLists"].append(swap_of(body))
    with pytest.raises(UpstreamFailed, match="number of swaps"):
        checked(body)


def test_a_honeypot_is_no_route() -> None:
    with pytest.raises(NoRoute):
        checked(changed("routerResult.toToken.isHoneyPot", value=True))


@pytest.mark.parametrize("place", [0, 7, *range(16, 38), *range(-7, -1)])
def test_every_byte_that_counts_is_held_to_the_request(place: int) -> None:
    """All but the order's number, the exchanges with their weights, the direction of no commission, and the trim."""

    def flip(data: bytearray) -> None:
        data[place] ^= 1

    with pytest.raises(AdapterError):
        checked(altered(flip))


@pytest.mark.parametrize("more", [b"\x00", bytes(7)])
def test_nothing_follows_its_arguments(more: bytes) -> None:
    """Seven zeros more would look like no fees, where the program reads those before them."""
    with pytest.raises(UpstreamFailed, match="more than"):
        checked(altered(lambda data: data.extend(more)))


@pytest.mark.parametrize(("trim", "fine"), [(0, True), (100, True), (101, False)])
def test_a_share_of_what_is_above_the_quote_is_bounded(trim: int, *, fine: bool) -> None:
    def write(data: bytearray) -> None:
        data[-1] = trim

    if fine:
        assert checked(altered(write)).route.trim == trim
        return
    with pytest.raises(UpstreamFailed, match="share"):
        checked(altered(write))


@pytest.mark.parametrize("kind", [117, 119, 126, 133, 141, 255])
def test_routes_that_cannot_be_read_are_none(kind: int) -> None:
    def write(data: bytearray) -> None:
        data[38] = kind

    with pytest.raises(NoRoute, match="cannot be read"):
        checked(altered(write))


def instruction(program: str, data: bytes) -> SvmInstruction:
    body = said()
    roles = tuple(each.role() for each in read_answer(SolanaSwap, body).instruction_lists[-1].accounts)
    return SvmInstruction(program, roles, data)


HEAD = pack("<QQQHI", 1, 100, 90, 50, 1)


def test_other_forms_of_the_newest_program() -> None:
    step = bytes([64]) + bytes(50) + pack("<HB", 10_000, 1)
    without = read_route(instruction(NEWEST, SWAP + HEAD + step))
    fees = read_route(instruction(NEWEST, SWAP_TOC + HEAD + step + pack("<IH", 7, 8)))
    assert (without.amount, without.expected, without.minimum, without.slippage_bps) == (100, 90, 89, 50)
    assert (without.commission, without.platform_fee, without.trim, without.programs) == (0, 0, 0, None)
    assert (fees.commission, fees.platform_fee, fees.closes) == (7, 8, False)
    closing = read_route(instruction(NEWEST, SWAP_TOC + HEAD + step + pack("<IH", 1 << 30, 0)))
    assert (closing.commission, closing.closes) == (0, True)


@pytest.mark.parametrize(("kind", "trim"), [(OLDER_TOB, b"\x0a"), (OLDER_TOC, b"")])
def test_the_older_program_writes_its_minimum_out(kind: bytes, trim: bytes) -> None:
    amounts = pack("<QQQIQ", 100, 90, 85, 1, 100)
    routes = pack("<IIIBIB", 1, 1, 1, 14, 1, 100)
    data = kind + amounts + routes + pack("<I", 3) + trim + pack("<HQ", 4, 9)
    route = read_route(instruction(OLDER, data))
    assert (route.amount, route.expected, route.minimum, route.slippage_bps) == (100, 90, 85, None)
    assert (route.commission, route.platform_fee, route.trim) == (3, 4, len(trim) * 10)
    for wrong in (data[:-1], data + b"\x00", data[:8], SWAP + data[8:]):
        with pytest.raises(UpstreamFailed):
            read_route(instruction(OLDER, wrong))


def test_a_swap_of_endless_parts_is_none() -> None:
    with pytest.raises(UpstreamFailed, match="parts"):
        read_route(instruction(NEWEST, SWAP + pack("<QQQHI", 1, 100, 90, 50, 2**32 - 1)))


@pytest.mark.parametrize(("field", "form", "at", "value"), [
    ("amount_in", "<Q", 16, U64), ("expect_amount_out", "<Q", 24, U64), ("slippage_bps", "<H", 32, U16),
    ("slippage_bps", "<H", 32, 9_999), ("commission_info", "<I", -7, U30), ("platform_fee_rate", "<H", -3, U16),
    ("trim_rate", "<B", -1, 255),
])  # fmt: skip
def test_a_number_of_the_program_s_beyond_its_bound_is_refused(field: str, form: str, at: int, value: int) -> None:
    checked(said())
    body, written = said(), pack(form, value)
    data = bytearray(b64decode(swap_of(body)["data"]))
    at %= len(data)
    data[at : at + len(written)] = written
    swap_of(body)["data"] = b64encode(data).decode()
    with pytest.raises(AdapterError):
        checked(body)


@pytest.mark.parametrize(("kind", "value"), [(1, 2**32 - 1), (2, 2**32 - 1), (2, 1_400_001), (4, 0)])
def test_a_compute_budget_that_the_runtime_does_not_take_is_refused(kind: int, value: int) -> None:
    with pytest.raises(AdapterError):
        checked(changed("instructionLists.0.data", b64encode(pack("<BI", kind, value)).decode()))
