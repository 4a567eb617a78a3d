"""A transaction does what was asked, in whatever form that is known, and nothing else."""

from dataclasses import replace
from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.keypair import Keypair
from solders.message import from_bytes_versioned
from solders.transaction import VersionedTransaction

from rhumbline.adapters.dflow.actions import Form
from rhumbline.adapters.dflow.checking import Expected, check_message
from rhumbline.domain.errors import AdapterError, NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction, SvmSealed
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.decompiler import decompile, decompile_message
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    SystemTransfer,
    TokenTransfer,
    wrap_sol,
)
from rhumbline.gateways.svm.programs import ASSOCIATED, COMPUTE_BUDGET, SPL, SPL_2022, SYSTEM, WRAPPED_SOL
from tests.adapters.dflow.orders import (
    AMOUNT,
    ENTRIES,
    FRIEND,
    MAKE_ACCOUNT,
    MARK,
    MINIMUM,
    PROGRAM,
    REQUEST,
    SOL,
    STRANGER,
    TABLE,
    UNWRAP,
    USDC,
    USDT,
    VAULT,
    WALLET,
    Trade,
    answered,
    arguments,
    leg,
    tokens_of,
    whole,
    wrap,
)
from tests.adapters.dflow.stub_upstream import StubUpstream
from tests.adapters.svm_accounts import tokens

IN_SOL, OUT_SOL = replace(REQUEST, origin_token=SOL), replace(REQUEST, destination_token=SOL)
GIFT, GIFT_SOL = replace(REQUEST, payout_address=FRIEND), replace(OUT_SOL, payout_address=FRIEND)
FRIENDS = tokens_of(FRIEND, USDT)
OWN_SOL = tokens_of(WALLET, SOL)
WRAP_CALL = SvmInstruction(
    PROGRAM,
    (
        AccountRole(WALLET, True, True), AccountRole(OWN_SOL, writable=True), AccountRole(WRAPPED_SOL),
        AccountRole(SPL), AccountRole(ASSOCIATED), AccountRole(SYSTEM),
    ),
    bytes.fromhex("2f3e9bac83cd25c9") + pack("<Q", AMOUNT),
)  # fmt: skip
UNWRAP_CALL = SvmInstruction(
    PROGRAM, (AccountRole(WALLET, True, True), AccountRole(OWN_SOL, writable=True), AccountRole(SPL)),
    bytes.fromhex("63280e692d6bacc9"),
)  # fmt: skip
SOUND: dict[str, tuple[QuoteRequest, list[SvmInstruction]]] = {
    "own account": (REQUEST, [Trade().instruction()]),
    "account made": (REQUEST, [Trade(data=arguments(MAKE_ACCOUNT, MARK, leg(AMOUNT))).instruction()]),
    "account made beside": (
        REQUEST, [CreateTokenAccount.of(WALLET, WALLET, USDT.address, SPL).encode(), Trade().instruction()]
    ),
    "split": (REQUEST, [Trade(data=arguments(leg(AMOUNT - 7), leg(7, 26), leg(123, 40))).instruction()]),
    "SOL in": (IN_SOL, [Trade(IN_SOL, arguments(wrap(AMOUNT), leg(AMOUNT), UNWRAP)).instruction()]),
    "SOL wrapped by a call": (IN_SOL, [WRAP_CALL, Trade(IN_SOL).instruction(), UNWRAP_CALL]),
    "SOL wrapped beside": (
        IN_SOL,
        [
            CreateTokenAccount.of(WALLET, WALLET, WRAPPED_SOL, SPL).encode(), *wrap_sol(WALLET, OWN_SOL, AMOUNT),
            Trade(IN_SOL).instruction(), CloseAccount(SPL, OWN_SOL, WALLET, WALLET).encode(),
        ],
    ),
    "SOL out": (OUT_SOL, [Trade(OUT_SOL, arguments(leg(AMOUNT), UNWRAP)).instruction()]),
    "to a friend": (
        GIFT,
        [Trade(GIFT, arguments(leg(AMOUNT), form=Form.TO_ACCOUNT), (FRIENDS, FRIEND, USDT.address)).instruction()],
    ),
    "to a friend, unnamed": (
        GIFT, [Trade(GIFT, arguments(leg(AMOUNT), form=Form.TO_ACCOUNT), (FRIENDS, PROGRAM, PROGRAM)).instruction()]
    ),
    "SOL to a friend": (
        GIFT_SOL, [Trade(GIFT_SOL, arguments(leg(AMOUNT), form=Form.TO_WALLET), (FRIEND,)).instruction()]
    ),
}  # fmt: skip
OPENED = bytes.fromhex("ce58588f26880320") + bytes(40)
GIVEN_AWAY = bytes.fromhex("414b3f4ceb5b5b88") + arguments(leg(AMOUNT))[8:] + b"\x05"
FORGED = arguments(leg(AMOUNT), quoted=1) + arguments()[12:]
ALIEN = SvmInstruction(STRANGER, (AccountRole(WALLET, True, True),), b"\x01")
WRONG: dict[str, tuple[QuoteRequest, list[SvmInstruction], str]] = {
    "no swap": (REQUEST, [CreateTokenAccount.of(WALLET, WALLET, USDT.address, SPL).encode()], "without a swap"),
    "two swaps": (REQUEST, [Trade().instruction(), Trade().instruction()], "two swaps"),
    "stranger's program": (REQUEST, [Trade().instruction(), ALIEN], "nothing to do"),
    "payment": (REQUEST, [Trade().instruction(), SystemTransfer(WALLET, STRANGER, 1).encode()], "nothing to do"),
    "tokens away": (
        REQUEST,
        [Trade().instruction(), TokenTransfer(SPL, tokens_of(WALLET, USDC), STRANGER, WALLET, 1).encode()],
        "nothing to do",
    ),
    "another owner": (
        REQUEST,
        [
            Trade().instruction(),
            SvmInstruction(
                SPL, (AccountRole(tokens_of(WALLET, USDC), writable=True), AccountRole(WALLET, True)),
                b"\x06\x02\x01" + bytes(32),
            ),
        ],
        "nothing to do",
    ),
    "closing": (
        REQUEST, [Trade().instruction(), CloseAccount(SPL, tokens_of(WALLET, USDC), WALLET, WALLET).encode()],
        "nothing to do",
    ),
    "closing to a stranger": (
        IN_SOL, [WRAP_CALL, Trade(IN_SOL).instruction(), CloseAccount(SPL, OWN_SOL, STRANGER, WALLET).encode()],
        "nothing to do",
    ),
    "stranger's account": (
        REQUEST, [CreateTokenAccount.of(WALLET, STRANGER, USDT.address, SPL).encode(), Trade().instruction()],
        "nothing to do",
    ),
    "wrapping for tokens": (REQUEST, [WRAP_CALL, Trade().instruction()], "nothing to do"),
    "wrapping more": (IN_SOL, [WRAP_CALL, Trade(IN_SOL, arguments(wrap(1), leg(AMOUNT))).instruction()], "wrapped SOL"),
    "no wrapping": (IN_SOL, [Trade(IN_SOL).instruction()], "wrapped SOL"),
    "unwrapping for tokens": (REQUEST, [Trade(data=arguments(leg(AMOUNT), UNWRAP)).instruction()], "unwraps"),
    "left wrapped": (OUT_SOL, [Trade(OUT_SOL).instruction()], "leaves SOL wrapped"),
    "wrapping another's": (
        IN_SOL,
        [
            replace(WRAP_CALL, accounts=(WRAP_CALL.accounts[0], AccountRole(VAULT), *WRAP_CALL.accounts[2:])),
            Trade(IN_SOL).instruction(),
        ],
        "accounts",
    ),
    "order that is filled later": (REQUEST, [Trade(data=OPENED).instruction()], "no swap"),
    "surplus given away": (REQUEST, [Trade(data=GIVEN_AWAY).instruction()], "no swap"),
    "other amount": (REQUEST, [Trade(data=arguments(leg(AMOUNT + 1))).instruction()], "amount"),
    "all there is": (REQUEST, [Trade(data=arguments(leg(2**64 - 1))).instruction()], "amount"),
    "nothing": (REQUEST, [Trade(data=arguments(MARK)).instruction()], "amount"),
    "platform fee": (REQUEST, [Trade(data=arguments(leg(AMOUNT), fee=1)).instruction()], "platform fee"),
    "other quote": (REQUEST, [Trade(data=arguments(leg(AMOUNT), quoted=MINIMUM)).instruction()], "quoted output"),
    "second terms": (REQUEST, [Trade(data=FORGED).instruction()], "cannot be read"),
    "cut off": (REQUEST, [Trade(data=arguments(leg(AMOUNT))[:-1]).instruction()], "cut off"),
    "endless": (REQUEST, [Trade(data=Form.OWN.value + b"\xff" * 4).instruction()], "too long"),
    "sponsor": (REQUEST, [Trade(data=arguments(bytes([50]), leg(AMOUNT))).instruction()], "sponsor"),
    "to a stranger": (
        GIFT,
        [
            Trade(
                GIFT, arguments(leg(AMOUNT), form=Form.TO_ACCOUNT), (tokens_of(STRANGER, USDT), FRIEND, USDT.address)
            ).instruction()
        ],
        "receiver",
    ),
    "to a stranger's wallet": (
        GIFT_SOL, [Trade(GIFT_SOL, arguments(leg(AMOUNT), form=Form.TO_WALLET), (STRANGER,)).instruction()], "receiver"
    ),
    "to the wallet itself": (GIFT, [Trade(GIFT).instruction()], "receiver"),
    "as SOL": (GIFT, [Trade(GIFT, arguments(leg(AMOUNT), form=Form.TO_WALLET), (FRIEND,)).instruction()], "output"),
    "budget twice": (REQUEST, [SvmInstruction(COMPUTE_BUDGET, (), b"\x02" + bytes(4)), Trade().instruction()], "twice"),
}  # fmt: skip


@pytest.mark.parametrize("what", SOUND)
async def test_known_forms(stub_upstream: StubUpstream, what: str) -> None:
    request, instructions = SOUND[what]
    stub_upstream.says(*instructions, request=request)
    draft = await stub_upstream.built(request)
    assert [(each.program, each.data) for each in draft.instructions] == [(e.program, e.data) for e in instructions]
    assert (draft.program, draft.programs, draft.tables) == (PROGRAM, frozenset({PROGRAM}), (TABLE,))
    assert (draft.compute_limit, draft.heap_frame) == (240_000, 65_536)
    assert not draft.enforces_minimum
    assert {role.address for each in draft.instructions for role in each.accounts if role.signer} == {WALLET}


@pytest.mark.parametrize("what", WRONG)
async def test_everything_else_is_refused(stub_upstream: StubUpstream, what: str) -> None:
    request, instructions, words = WRONG[what]
    stub_upstream.says(*instructions, request=request)
    with pytest.raises(UpstreamFailed, match=words):
        await stub_upstream.built(request)


@pytest.mark.parametrize("tag", [35, 36, 42, 43, 63, 64, 77, 79, 255])
async def test_steps_that_are_not_known(stub_upstream: StubUpstream, tag: int) -> None:
    stub_upstream.says(Trade(data=arguments(leg(AMOUNT), bytes([tag]) + bytes(53))).instruction())
    with pytest.raises(NoRoute, match="not known"):
        await stub_upstream.built()


@pytest.mark.parametrize("missing", [tokens_of(WALLET, USDC), tokens_of(WALLET, USDT)])
@pytest.mark.parametrize("other", [STRANGER, None], ids=["somebody else's", "only read"])
async def test_the_wallets_own_accounts_are_in_it(stub_upstream: StubUpstream, missing: str, other: str | None) -> None:
    made = Trade().instruction()
    roles = [r if r.address != missing else AccountRole(other or missing, writable=bool(other)) for r in made.accounts]
    stub_upstream.says(replace(made, accounts=tuple(roles)))
    with pytest.raises(UpstreamFailed, match=r"source|receiver"):
        await stub_upstream.built()


@pytest.mark.parametrize("place", range(6))
async def test_accounts_at_fixed_places(stub_upstream: StubUpstream, place: int) -> None:
    made = Trade().instruction()
    roles = list(made.accounts)
    roles[place] = AccountRole(STRANGER)
    stub_upstream.says(replace(made, accounts=tuple(roles)))
    with pytest.raises(UpstreamFailed, match="fixed accounts"):
        await stub_upstream.built()


@pytest.mark.parametrize(
    ("holding", "amount", "sound"),
    [({}, 0, True), ({}, 1, False), ({"delegate": WALLET}, 1, False), ({"closer": WALLET}, 1, False)],
)
async def test_other_accounts_of_the_wallets_are_empty(
    stub_upstream: StubUpstream, holding: dict[str, Any], amount: int, sound: bool
) -> None:
    station = tokens_of(WALLET, SOL)
    stub_upstream.says(Trade(more=(AccountRole(station, writable=True),)).instruction())
    owner = STRANGER if holding else WALLET
    stub_upstream.node.accounts[station] = tokens(owner, WRAPPED_SOL, amount, **holding)
    if sound:
        await stub_upstream.built()
    else:
        with pytest.raises(NoRoute, match="another account"):
            await stub_upstream.built()


@pytest.mark.parametrize(("held", "sound"), [(None, "SOL in"), (0, "SOL in"), (7, "SOL in"), (7, "SOL out")])
async def test_what_was_wrapped_before_is_wrapped_again(
    stub_upstream: StubUpstream, held: int | None, sound: str
) -> None:
    request, instructions = SOUND[sound]
    stub_upstream.says(*instructions, request=request)
    if held is not None:
        stub_upstream.node.accounts[OWN_SOL] = tokens(WALLET, WRAPPED_SOL, held)
    draft = await stub_upstream.built(request)
    made = CreateTokenAccount.of(WALLET, WALLET, WRAPPED_SOL, SPL).encode()
    again = (made, *wrap_sol(WALLET, OWN_SOL, held)) if held else ()
    assert draft.instructions[len(instructions) :] == again


async def test_accounts_of_the_venues_hold_what_they_like(stub_upstream: StubUpstream) -> None:
    stub_upstream.node.accounts[VAULT] = tokens(STRANGER, USDT.address, 10**12)
    await stub_upstream.built()


def sponsored(sponsor: Keypair, *, signed: bool) -> dict[str, Any]:
    """An order whose fee somebody else pays, who has signed it or not."""
    payer = str(sponsor.pubkey())
    raw = whole(Trade(data=arguments(bytes([50]), leg(AMOUNT))).instruction(), payer=payer)
    unsigned = VersionedTransaction.from_bytes(raw)
    if signed:
        message = from_bytes_versioned(raw[1 + 2 * 64 :])
        seal = sponsor.sign_message(raw[1 + 2 * 64 :])
        unsigned = VersionedTransaction.populate(message, [seal, unsigned.signatures[1]])
    return answered(bytes(unsigned))


async def test_what_others_have_signed_is_passed_through(stub_upstream: StubUpstream) -> None:
    sponsor = Keypair.from_seed(bytes([9] * 32))
    stub_upstream.upstream.says("/order", sponsored(sponsor, signed=True))
    made = await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))
    assert isinstance(made, SvmSealed)
    assert made.signatures.keys() == {str(sponsor.pubkey())}
    assert made.last_valid_block_height == 418_958_566
    read = decompile_message(made.message, [LookupTable(TABLE, ENTRIES)])
    assert (read.payer, read.missing[-1]) == (str(sponsor.pubkey()), WALLET)


async def test_what_others_have_yet_to_sign_is_refused(stub_upstream: StubUpstream) -> None:
    sponsor = Keypair.from_seed(bytes([9] * 32))
    stub_upstream.upstream.says("/order", sponsored(sponsor, signed=False))
    with pytest.raises(UpstreamFailed, match="somebody else"):
        await stub_upstream.built()
    co_signed = Trade(more=(AccountRole(STRANGER, signer=True),)).instruction()
    stub_upstream.says(co_signed)
    with pytest.raises(UpstreamFailed, match="somebody else"):
        await stub_upstream.built()


async def test_bytes_that_are_no_transaction(stub_upstream: StubUpstream) -> None:
    for raw in (b"", b"\x01", whole(Trade().instruction()) + b"\x00", whole(Trade().instruction())[:-1]):
        stub_upstream.upstream.says("/order", answered(raw))
        with pytest.raises(AdapterError):
            await stub_upstream.built()


WANTED = Expected(REQUEST, PROGRAM, (USDC.address, USDT.address), (SPL, SPL))
SWAP = Trade().instruction()
OWN = {WALLET, tokens_of(WALLET, USDC), tokens_of(WALLET, USDT)}
FIXED = 6
ADDRESSES = st.one_of(st.sampled_from([*OWN, STRANGER]), st.binary(min_size=32, max_size=32).map(encode_address))
ROLES = st.builds(AccountRole, ADDRESSES, st.booleans(), st.booleans())
ADDED = st.builds(
    SvmInstruction, st.sampled_from([SYSTEM, SPL, SPL_2022, ASSOCIATED, STRANGER, PROGRAM]),
    st.lists(ROLES, max_size=7).map(tuple), st.binary(max_size=40),
)  # fmt: skip


def is_sound(*instructions: SvmInstruction) -> bool:
    """Tell whether such a transaction is handed out, as one that the wallet alone signs."""
    message = decompile(whole(*instructions), [LookupTable(TABLE, ENTRIES)])
    try:
        check_message(message, WANTED)
    except AdapterError:
        return False
    return message.missing == (WALLET,)


def test_the_swap_is_sound_before() -> None:
    assert is_sound(SWAP)


@given(ADDED, st.booleans())
def test_no_added_instruction_passes(added: SvmInstruction, first: bool) -> None:
    assert not is_sound(*((added, SWAP) if first else (SWAP, added)))


@given(st.integers(0, len(SWAP.accounts) - 1), ADDRESSES)
def test_an_exchanged_account_is_a_venues(place: int, address: str) -> None:
    old = SWAP.accounts[place]
    roles = [*SWAP.accounts]
    roles[place] = replace(old, address=address)
    changed = address != old.address
    missing = OWN - {role.address for role in roles}
    if changed and is_sound(replace(SWAP, accounts=tuple(roles))):
        assert place >= FIXED
        assert not missing


@given(ADDRESSES.filter(lambda each: each != WALLET), st.booleans())
def test_no_added_signer_passes(address: str, writable: bool) -> None:
    signer = AccountRole(address, signer=True, writable=writable)
    assert not is_sound(replace(SWAP, accounts=(*SWAP.accounts, signer)))


@given(st.integers(0, len(SWAP.data) - 1), st.integers(1, 255))
def test_data_that_differ_in_a_byte_tell_the_same_terms(place: int, change: int) -> None:
    data = bytearray(SWAP.data)
    data[place] ^= change
    # The mark, the venue's tag and flags, the quote and the slippage, which the adapter compares, may differ.
    amount = slice(SWAP.data.index(bytes([40])) + 1, SWAP.data.index(bytes([40])) + 9)
    fee = slice(len(data) - 2, len(data))
    if is_sound(replace(SWAP, data=bytes(data))):
        assert data[:12] == SWAP.data[:12]
        assert data[amount] == SWAP.data[amount]
        assert data[fee] == SWAP.data[fee]
