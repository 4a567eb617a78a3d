"""The answers of Jupiter's emulator: its program's instructions over the sandbox's pools, and its lies.

Forms: the program's interface description on the chain and printed answers of 2026-09, read 2026-11-22. The program is
``devnet/svm/program/jupiter.c``; it does not read the route plan.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from struct import pack

from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.svm_lies import OTHER_PROGRAM, STRANGER, handed_over, instruction_json
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.trades import Leg
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.svm.answers import Blockhash
from rhumbline.gateways.svm.address import associated_token_address, decode_address, program_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, SystemTransfer, wrap_sol
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL

PROGRAM = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
TABLE = "4TeTR3QLmwPdnw7H3oUgPSA7Etx2W3WEooX4wC62JLB5"
_NUMBER = 4
"""The number of the shared authority."""
_EVENTS = program_address([b"__event_authority"], PROGRAM)
_SHARED = program_address([b"authority", bytes([_NUMBER])], PROGRAM)
_ROUTE, _SHARED_ROUTE = bytes.fromhex("bb64facc31c4af14"), bytes.fromhex("d19853937cfed8e9")
_RAYDIUM = b"\x07"
_WHOLE = 10_000


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A checked request. ``target`` is the token account that is to be paid, None for the wallet's own."""

    mint_in: str
    mint_out: str
    amount: int
    taker: str
    slippage_bps: int
    most_accounts: int
    wraps: bool
    target: str | None


def shared_accounts(programs: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the token accounts of the program's own address: owner, mint, account; ``programs`` are by mint."""
    for mint, program in programs.items():
        yield _SHARED, mint, associated_token_address(_SHARED, mint, program)


def table_entries(pools: Sequence[str], programs: Mapping[str, str]) -> list[str]:
    """Return the table's contents; as in the real tables, some occur twice."""
    own = [account for _, _, account in shared_accounts(programs)]
    return [*pools, PROGRAM, _EVENTS, _SHARED, *own, WRAPPED_SOL, SPL]


def build_answer(
    asked: CheckedRequest, trade: SvmTrade, blockhash: Blockhash, tables: Mapping[str, Sequence[str]], lie: Lie | None
) -> dict[str, object]:
    """Return the answer to a request with its trade."""
    shared = any(leg.token_out == WRAPPED_SOL for leg in trade.legs[:-1])
    swap = _shared_route(asked, trade, lie) if shared else _route(asked, trade, lie)
    budget = ComputeBudget(micro_lamports=9386).instructions()
    setup, cleanup = _setup(asked, trade, lie, shared=shared), _cleanup(asked, lie)
    return {
        "inputMint": asked.mint_in,
        "outputMint": asked.mint_out,
        "inAmount": str(asked.amount),
        "outAmount": str(trade.amount_out),
        "otherAmountThreshold": str(-(-trade.amount_out * (_WHOLE - asked.slippage_bps) // _WHOLE)),
        "swapMode": "ExactIn",
        "slippageBps": asked.slippage_bps,
        "priceImpactPct": "0.0000320221058740248142431269",
        "routePlan": [_planned(leg) for leg in trade.legs],
        "computeBudgetInstructions": [instruction_json(each) for each in budget],
        "setupInstructions": [instruction_json(each) for each in setup],
        "swapInstruction": instruction_json(swap),
        "cleanupInstruction": None if cleanup is None else instruction_json(cleanup),
        "otherInstructions": [],
        "tipInstruction": None,
        "addressesByLookupTableAddress": dict(tables),
        "blockhashWithMetadata": {
            "blockhash": list(decode_address(blockhash.value)),
            "lastValidBlockHeight": blockhash.last_valid_block_height,
            "fetchedAt": {"secs_since_epoch": 1, "nanos_since_epoch": 1},
        },
    }


def _route(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> SvmInstruction:
    tokens = _tokens(trade, lie)
    paid = _paid(asked, trade, lie)
    roles = (
        AccountRole(asked.taker, signer=True),
        AccountRole(trade.account(asked.taker, asked.mint_in), writable=True),
        AccountRole(paid, writable=True),
        *(AccountRole(each) for each in tokens),
        AccountRole(PROGRAM if asked.target is None else paid, writable=asked.target is not None),
        AccountRole(_EVENTS),
        AccountRole(PROGRAM),
        *trade.steps(asked.taker, paid, signer=False),
    )
    return SvmInstruction(_called(lie), roles, _ROUTE + _arguments(asked, trade, lie))


def _shared_route(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> SvmInstruction:
    roles = (
        AccountRole(_SHARED),
        AccountRole(asked.taker, signer=True),
        AccountRole(trade.account(asked.taker, asked.mint_in), writable=True),
        *(AccountRole(trade.account(_SHARED, mint), writable=True) for mint in (asked.mint_in, asked.mint_out)),
        AccountRole(_paid(asked, trade, lie), writable=True),
        *(AccountRole(each) for each in _tokens(trade, lie)),
        AccountRole(_EVENTS),
        AccountRole(PROGRAM),
        *trade.steps(_SHARED, signer=False),
    )
    return SvmInstruction(_called(lie), roles, _SHARED_ROUTE + bytes([_NUMBER]) + _arguments(asked, trade, lie))


def _arguments(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> bytes:
    amount = asked.amount * 2 if lie is Lie.OTHER_AMOUNT else asked.amount
    quoted = trade.amount_out // 2 if lie is Lie.WORSE_OUTPUT else trade.amount_out
    slippage = _WHOLE if lie is Lie.NO_MINIMUM else asked.slippage_bps
    plan = b"".join(_RAYDIUM + pack("<HBB", _WHOLE, place, place + 1) for place in range(len(trade.legs)))
    return pack("<QQHHHI", amount, quoted, slippage, 0, 0, len(trade.legs)) + plan


def _tokens(trade: SvmTrade, lie: Lie | None) -> tuple[str, str, str, str]:
    first, last = trade.legs[0].token_in, trade.legs[-1].token_out
    told = first if lie is Lie.OTHER_TOKEN else last
    return first, told, trade.program(first), trade.program(told)


def _paid(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> str:
    if lie is Lie.OTHER_RECEIVER:
        return trade.account(STRANGER, asked.mint_out)
    return asked.target or trade.account(asked.taker, asked.mint_out)


def _called(lie: Lie | None) -> str:
    return OTHER_PROGRAM if lie is Lie.OTHER_ENTRY else PROGRAM


def _setup(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None, *, shared: bool) -> list[SvmInstruction]:
    taker, wrapped = asked.taker, asked.wraps and asked.mint_in == WRAPPED_SOL
    found: list[SvmInstruction] = []
    if wrapped:
        account = trade.account(taker, WRAPPED_SOL)
        lamports = asked.amount * 2 if lie is Lie.MORE_VALUE else asked.amount
        found += [_made(taker, WRAPPED_SOL, trade), *wrap_sol(taker, account, lamports)]
    elif lie is Lie.MORE_VALUE:
        found.append(SystemTransfer(taker, STRANGER, 1).encode())
    if asked.target is None:
        found.append(_made(taker, asked.mint_out, trade))
    if not shared:
        found += [_made(taker, leg.token_out, trade) for leg in trade.legs[:-1]]
    if lie is Lie.OTHER_SPENDER:
        found.append(handed_over(trade, taker, asked.mint_in))
    return found


def _cleanup(asked: CheckedRequest, lie: Lie | None) -> SvmInstruction | None:
    if not asked.wraps or WRAPPED_SOL not in (asked.mint_in, asked.mint_out):
        return None
    account = associated_token_address(asked.taker, WRAPPED_SOL, SPL)
    return CloseAccount(SPL, account, STRANGER if lie is Lie.OTHER_REFUND else asked.taker, asked.taker).encode()


def _made(owner: str, mint: str, trade: SvmTrade) -> SvmInstruction:
    return CreateTokenAccount.of(owner, owner, mint, trade.program(mint)).encode()


def _planned(leg: Leg) -> dict[str, object]:
    info = {
        "ammKey": leg.pool.address,
        "label": "Raydium CP",
        "inputMint": leg.token_in,
        "outputMint": leg.token_out,
        "inAmount": str(leg.amount_in),
        "outAmount": str(leg.amount_out),
    }
    return {"percent": 100, "bps": _WHOLE, "swapInfo": info}
