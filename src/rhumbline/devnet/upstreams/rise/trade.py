"""The transactions of Rise's emulator: its program's instruction over one of the sandbox's pools, and its lies.

Layout: github.com/riserich/rise-docs, idl/idl.json of 2026-06-13; ``devnet/svm/program/rise.c`` documents which of its
accounts are the pool's here. Whether the real transaction wraps SOL is not known: this one does not, but creates the
account of the token that is bought.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from struct import pack
from types import MappingProxyType

from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.svm_lies import OTHER_PROGRAM, STRANGER, stolen_beside
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.address import program_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.messages import compile_v0, serialise, signer_count
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SYSTEM

PROGRAM = "RiseZSHaLdj7pfn1tisUoSdG2i3QcVz9sQKuaRG9rar"
MAYFLOWER = "AVMmmRzwc2kETQNhPiFVnyu62HrgsQXTD6D7SnSfEz7v"
EVENTS = program_address([b"__event_authority"], PROGRAM)
TABLE = "4hQjZc3fUuQYBy8Ft7T4PCMnBZQUY6rBa4nLtqeFxGaS"
_NAMES = ("tenant", "cash escrow", "group", "may market", "seed", "rev tenant", "log", "creator", "team")
_OWN = MappingProxyType({name: program_address([name.encode()], PROGRAM) for name in _NAMES})
_BUY, _SELL = bytes.fromhex("35f85f1436a292f7"), bytes.fromhex("1b8d626dc5a86854")
_RAISE = bytes(8 + 16 + 16 + 8 + 16)


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A checked trade with a market; amounts in raw units."""

    wallet: str
    token: str
    main: str
    amount: int
    minimum: int
    buys: bool


def table_entries(pools: Sequence[str]) -> tuple[str, ...]:
    """Return the table's contents: Rise's own accounts, programs, and the pools' accounts."""
    return (*_OWN.values(), EVENTS, MAYFLOWER, SYSTEM, SPL, ASSOCIATED, *pools)


def transaction(asked: CheckedRequest, trade: SvmTrade, blockhash: str, table: LookupTable, lie: Lie | None) -> str:
    """Return the whole unsigned transaction in base64."""
    payer = STRANGER if lie is Lie.OTHER_REFUND else asked.wallet
    bought = asked.token if asked.buys else asked.main
    beside = stolen_beside(trade, asked.wallet, asked.main if asked.buys else asked.token, lie)
    made = CreateTokenAccount.of(payer, asked.wallet, bought, trade.program(bought)).encode()
    listed = (*ComputeBudget(units=300_000).instructions(), made, *beside, _call(asked, trade, lie))
    message = compile_v0(payer, listed, [table], blockhash)
    signers = list(dict.fromkeys((payer, asked.wallet)))[: signer_count(message)]
    return b64encode(serialise(message, signers, {})).decode()


def _call(asked: CheckedRequest, trade: SvmTrade, lie: Lie | None) -> SvmInstruction:
    (pool,) = trade.pools
    vaults = {str(side.mint): AccountRole(str(side.vault), writable=True) for side in pool.sides}
    owner = STRANGER if lie is Lie.OTHER_RECEIVER else asked.wallet
    sold, bought = (asked.main, asked.token) if asked.buys else (asked.token, asked.main)
    accounts = {
        sold: AccountRole(trade.account(asked.wallet, sold), writable=True),
        bought: AccountRole(trade.account(owner, bought), writable=True),
    }
    head = (
        AccountRole(asked.wallet, signer=True, writable=True), _own("tenant"), AccountRole(str(pool.address)),
        _own("cash escrow"), AccountRole(str(pool.program)), _own("group"), AccountRole(str(pool.authority)),
        _own("may market"),
    )  # fmt: skip
    mints = (AccountRole(asked.token), AccountRole(asked.main))
    seed = (_own("seed"),) if asked.buys else ()
    ends = (*seed, *mints, accounts[asked.token], accounts[asked.main])
    tail = (
        vaults[asked.main], vaults[asked.token], _own("rev tenant"),
        AccountRole(trade.program(asked.main)), AccountRole(trade.program(asked.token)), AccountRole(MAYFLOWER),
        _own("log"), _own("creator"), _own("team"), AccountRole(EVENTS), AccountRole(PROGRAM),
    )  # fmt: skip
    called = OTHER_PROGRAM if lie is Lie.OTHER_ENTRY else PROGRAM
    return SvmInstruction(called, (*head, *ends, *tail), _data(asked, lie))


def _data(asked: CheckedRequest, lie: Lie | None) -> bytes:
    least = asked.minimum // 2 if lie is Lie.WORSE_OUTPUT else asked.minimum
    least = 0 if lie is Lie.NO_MINIMUM else least
    amount = asked.amount * 2 if lie is Lie.OTHER_AMOUNT else asked.amount
    terms = pack("<QQ", amount, least)
    return _BUY + terms + _RAISE if asked.buys else _SELL + terms


def _own(name: str) -> AccountRole:
    return AccountRole(_OWN[name], writable=True)
