"""The answers of DFlow's emulator: whole transactions of its program over the sandbox's pools, and its lies.

Layouts: the vendor's IDL as read by others 2026-09-27, and a genuine order of 2026-08-22. The program is
``devnet/svm/program/dflow.c``, which documents the order of its actions' accounts.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from struct import pack

from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.svm_lies import OTHER_PROGRAM, STRANGER, stolen_beside
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.nodes.svm.answers import Blockhash
from rhumbline.gateways.svm.address import associated_token_address, program_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.messages import compile_v0, serialise, signer_count
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SYSTEM, WRAPPED_SOL

PROGRAM = "DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH"
EVENTS = program_address([b"__event_authority"], PROGRAM)
TABLE, FALSE_TABLE = "ChwLYPANEA7zZg5qCZtTig61dFWRKLkUW7TxMRPgfibj", "8sfehAX22hJh9tk4c19Jmni8yMJYK7M7XfoWAGzBNstE"
UNITS = 400_000
WHOLE = 10_000
_SWAP, _TO_ACCOUNT, _TO_WALLET = (
    bytes.fromhex(each) for each in ("f8c69e91e17587c8", "a8ac184dc59c8765", "cd4d7f6cf120c4c3")
)
_TOKEN_SWAP, _RECORD_ID_2, _WRAP, _UNWRAP, _INIT_ATA = 28, 38, 51, 52, 60
_ALL, _FLAGS = 2**64 - 1, 0x80


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A checked request. ``receiver`` is the wallet that is paid, None for the user's own."""

    mint_in: str
    mint_out: str
    amount: int
    user: str
    receiver: str | None
    slippage_bps: int
    wraps: bool
    reserved: int

    @property
    def wraps_in(self) -> bool:
        return self.wraps and self.mint_in == WRAPPED_SOL

    @property
    def wraps_out(self) -> bool:
        return self.wraps and self.mint_out == WRAPPED_SOL


def minimum(output: int, slippage_bps: int) -> int:
    """Return the minimum output, rounded up as the program does."""
    return output - output * slippage_bps // WHOLE


def table_entries(pools: Sequence[str]) -> tuple[str, ...]:
    """Return the contents of the vendor's table: programs, and the pools' accounts."""
    return (SYSTEM, SPL, ASSOCIATED, EVENTS, *pools)


def transaction(
    asked: CheckedRequest, trade: SvmTrade, blockhash: Blockhash, table: LookupTable, lie: Lie | None
) -> bytes:
    """Return the whole unsigned transaction; raise Unfit if it is too large."""
    swap = _swap(asked, trade, lie)
    payer = STRANGER if lie is Lie.OTHER_REFUND else asked.user
    instructions = (
        *ComputeBudget(units=UNITS).instructions(),
        *stolen_beside(trade, asked.user, asked.mint_in, lie),
        swap,
    )
    message = compile_v0(payer, instructions, [table], blockhash.value)
    signers = list(dict.fromkeys((payer, asked.user)))[: signer_count(message)]
    return serialise(message, signers, {})


def described(
    asked: CheckedRequest, trade: SvmTrade, made: bytes, blockhash: Blockhash, table: LookupTable
) -> dict[str, object]:
    """Return the answer with a transaction."""
    output = trade.amount_out
    least = str(minimum(output, asked.slippage_bps))
    return {
        "inputMint": asked.mint_in,
        "inAmount": str(asked.amount),
        "outputMint": asked.mint_out,
        "outAmount": str(output),
        "otherAmountThreshold": least,
        "minOutAmount": least,
        "slippageBps": asked.slippage_bps,
        "platformFee": None,
        "priceImpactPct": "0",
        "routePlan": [
            {
                "venue": "Token Swap",
                "marketKey": leg.pool.address,
                "inputMint": leg.token_in,
                "outputMint": leg.token_out,
                "inAmount": str(leg.amount_in),
                "outAmount": str(leg.amount_out),
            }
            for leg in trade.legs
        ],
        "contextSlot": blockhash.slot,
        "executionMode": "sync",
        "transaction": b64encode(made).decode(),
        "lastValidBlockHeight": blockhash.last_valid_block_height,
        "prioritizationFeeLamports": 0,
        "computeUnitLimit": UNITS,
        "prioritizationType": None,
        "addressLookupTables": [
            {"address": table.address, "addresses": {str(place): each for place, each in table.entries.items()}}
        ],
    }


def _swap(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> SvmInstruction:
    form, named = _named(asked, trade, lie)
    actions, roles = _actions(asked, trade, lie)
    fixed = (
        *(AccountRole(each) for each in (SPL, ASSOCIATED, SYSTEM)),
        AccountRole(asked.user, signer=True, writable=True),
        *named,
        AccountRole(EVENTS),
        AccountRole(PROGRAM),
    )
    quoted = trade.amount_out // 2 if lie is Lie.WORSE_OUTPUT else trade.amount_out
    slippage = WHOLE if lie is Lie.NO_MINIMUM else asked.slippage_bps
    data = form + pack("<I", len(actions)) + b"".join(actions) + pack("<QHH", quoted, slippage, 0)
    return SvmInstruction(OTHER_PROGRAM if lie is Lie.OTHER_ENTRY else PROGRAM, (*fixed, *roles), data)


def _named(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> tuple[bytes, tuple[AccountRole, ...]]:
    """Return the variant of the instruction, and the accounts in which it names a receiver."""
    if asked.receiver is None:
        return _SWAP, ()
    receiver = STRANGER if lie is Lie.OTHER_RECEIVER else asked.receiver
    if asked.wraps_out:
        return _TO_WALLET, (AccountRole(receiver, writable=True),)
    account = AccountRole(trade.account(receiver, asked.mint_out), writable=True)
    return _TO_ACCOUNT, (account, AccountRole(receiver), AccountRole(asked.mint_out))


def _actions(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> tuple[list[bytes], list[AccountRole]]:
    actions, roles = [bytes([_RECORD_ID_2]) + b"sbxs"], []
    user, owner = asked.user, _owner(asked, lie)
    if asked.wraps_in:
        actions.append(pack("<BQ", _WRAP, asked.amount * 2 if lie is Lie.MORE_VALUE else asked.amount))
        roles += [AccountRole(trade.account(user, WRAPPED_SOL), writable=True), AccountRole(WRAPPED_SOL)]
    for holder, mint in (*((user, leg.token_out) for leg in trade.legs[:-1]), (owner, asked.mint_out)):
        actions.append(bytes([_INIT_ATA]))
        roles += [AccountRole(trade.account(holder, mint), writable=True), AccountRole(holder)]
        roles += [AccountRole(mint), AccountRole(trade.program(mint))]
    for place in range(len(trade.legs)):
        sold = asked.amount * 2 if lie is Lie.OTHER_AMOUNT else asked.amount
        actions.append(pack("<BQB", _TOKEN_SWAP, _ALL if place else sold, _FLAGS))
    roles += trade.steps(user, trade.account(owner, asked.mint_out))
    if asked.wraps_in or (asked.wraps_out and asked.receiver is None):
        actions.append(bytes([_UNWRAP]))
        roles.append(AccountRole(associated_token_address(user, WRAPPED_SOL, SPL), writable=True))
    return actions, roles


def _owner(asked: CheckedRequest, lie: Lie | None) -> str:
    """Return the owner of the output account that the last trade pays into."""
    if asked.receiver is None or asked.wraps_out:
        return STRANGER if lie is Lie.OTHER_RECEIVER and asked.receiver is None else asked.user
    return STRANGER if lie is Lie.OTHER_RECEIVER else asked.receiver
