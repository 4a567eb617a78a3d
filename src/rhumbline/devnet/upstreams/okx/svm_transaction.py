"""What OKX's emulator answers for Solana: instructions over the sandbox's pools, and the lies told in them.

The vendor's page on ``/swap-instruction`` (v6), and the interface description of its program as OKX's decoder for
market makers holds it, read 2026-11-22; no genuine answer of v6 was found. The program is ``devnet/svm/program/okx.c``.
"""

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from struct import pack

from rhumbline.devnet.upstreams.behaviour import Fails, Lie
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.svm_table import pool_accounts, store_table
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import decode_address, is_address, program_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer
from rhumbline.gateways.svm.programs import ASSOCIATED, SYSTEM

INDEX = "501"
PROGRAM = "proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u"
TABLE = "FqeeFKhvn4d19iJA7G4qU9tcfjHNUkEo2rKsht5Btztm"
STRANGER = "7v54NWdBtkjuAFJrLGsS2SXnuk8nKam81mZJeeYxVFi9"
OTHER_PROGRAM = "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8"
_EVENTS = program_address([b"__event_authority"], PROGRAM)
_SWAP_TOB = bytes.fromhex("aa2955b184501f35")
_RAYDIUM_CPMM, _WHOLE, _TRIM = 14, 10_000, 10
_HEAP, _UNITS, _PRICE = 128 * 1024, 400_000, 1_000
_SET_AUTHORITY, _OWNER = 6, 2
_ACCOUNTS_A_STEP = 12
_DIGITS = re.compile(r"[1-9][0-9]{0,19}\Z", re.ASCII)
_PERCENT = re.compile(r"[0-9]{1,2}(\.[0-9]{1,4})?\Z", re.ASCII)
_NEEDED = ("chainIndex", "amount", "fromTokenAddress", "toTokenAddress", "slippagePercent", "userWalletAddress")
_KNOWN = frozenset(_NEEDED) | {
    "swapMode", "autoSlippage", "maxAutoSlippagePercent", "maxCalldataSize", "maxAccounts", "swapReceiverAddress",
    "feePercent", "fromTokenReferrerWalletAddress", "toTokenReferrerWalletAddress", "dexIds", "excludeDexIds",
    "directRoute", "priceImpactProtectionPercent", "computeUnitPrice", "computeUnitLimit",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AskedOnSolana:
    """A question, checked."""

    token_in: str
    token_out: str
    amount: int
    slippage: str
    user: str
    receiver: str
    most_accounts: int

    @property
    def slippage_bps(self) -> int:
        return int(Decimal(self.slippage) * 100)

    def fits(self, trade: SvmTrade) -> bool:
        """Tell whether a trade goes through as few accounts as were asked for."""
        return len(trade.legs) * _ACCOUNTS_A_STEP <= self.most_accounts


def read_question(query: Mapping[str, str]) -> AskedOnSolana:
    """Read a question; raise Fails for what the vendor refuses."""
    for name in _NEEDED:
        if not query.get(name):
            raise Fails("parameter_empty", {"code": "50014", "msg": f"Parameter {name} cannot be empty", "data": []})
    if not query.keys() <= _KNOWN or query.get("swapMode", "exactIn") != "exactIn":
        raise Fails("parameter_error")
    if query["chainIndex"] != INDEX:
        raise Fails("chain_unsupported")
    most = query.get("maxAccounts", "64")
    if not _DIGITS.match(query["amount"]) or not _DIGITS.match(most) or not _PERCENT.match(query["slippagePercent"]):
        raise Fails("parameter_error")
    user = query["userWalletAddress"]
    receiver = query.get("swapReceiverAddress", user)
    for address, failure in ((user, "wallet_invalid"), (receiver, "receiver_invalid")):
        if not is_address(address):
            raise Fails(failure)
    tokens = query["fromTokenAddress"], query["toTokenAddress"]
    if not all(map(is_address, tokens)) or tokens[0] == tokens[1]:
        raise Fails("parameter_error")
    return AskedOnSolana(*tokens, int(query["amount"]), query["slippagePercent"], user, receiver, int(most))


async def install_on(node: SvmNode) -> None:
    """Put the program where the real one is, and a table."""
    await node.install_program(PROGRAM, "okx")
    await store_table(node, TABLE, [*await pool_accounts(node), PROGRAM, _EVENTS, ASSOCIATED])


def instructions_answer(asked: AskedOnSolana, trade: SvmTrade, lie: Lie | None) -> dict[str, object]:
    """Return ``data`` of an answer: an object, with its tables and instructions in their order."""
    created = trade.account(asked.receiver, asked.token_out)
    minimum = trade.amount_out * (_WHOLE - asked.slippage_bps) // _WHOLE
    return {
        "addressLookupTableAccount": [TABLE, TABLE],
        "createTokenAccountList": [created],
        "instructionLists": [_written(each) for each in _instructions(asked, trade, lie)],
        "routerResult": {
            "chainIndex": INDEX,
            "contextSlot": 1,
            "dexRouterList": [],
            "estimateGasFee": str(_UNITS),
            "fromToken": _described(asked.token_in),
            "fromTokenAmount": str(asked.amount),
            "priceImpactPercent": "-0.07",
            "router": "--".join([asked.token_in, *(leg.token_out for leg in trade.legs)]),
            "swapMode": "exactIn",
            "toToken": _described(asked.token_out),
            "toTokenAmount": str(trade.amount_out),
            "tradeFee": "0.01",
        },
        "tx": {
            "from": asked.user,
            "minReceiveAmount": str(minimum),
            "slippagePercent": asked.slippage,
            "to": PROGRAM,
        },
    }


def _instructions(asked: AskedOnSolana, trade: SvmTrade, lie: Lie | None) -> list[SvmInstruction]:
    budget = ComputeBudget(_UNITS, _PRICE, _HEAP).instructions()
    between = [_made(asked.user, asked.user, leg.token_out, trade) for leg in trade.legs[:-1]]
    found = [*budget, *between, _made(asked.user, asked.receiver, asked.token_out, trade)]
    if lie is Lie.MORE_VALUE:
        found.append(SystemTransfer(asked.user, STRANGER, 1).encode())
    if lie is Lie.OTHER_SPENDER:
        source, program = trade.account(asked.user, asked.token_in), trade.program(asked.token_in)
        data = bytes([_SET_AUTHORITY, _OWNER, 1]) + decode_address(STRANGER)
        roles = AccountRole(source, writable=True), AccountRole(asked.user, signer=True)
        found.append(SvmInstruction(program, roles, data))
    return [*found, _swap(asked, trade, lie)]


def _swap(asked: AskedOnSolana, trade: SvmTrade, lie: Lie | None) -> SvmInstruction:
    paid = trade.account(STRANGER if lie is Lie.OTHER_RECEIVER else asked.receiver, asked.token_out)
    told = asked.token_in if lie is Lie.OTHER_TOKEN else asked.token_out
    absent = AccountRole(PROGRAM)
    roles = (
        AccountRole(asked.user, signer=True, writable=True),
        AccountRole(trade.account(asked.user, asked.token_in), writable=True),
        AccountRole(paid, writable=True),
        AccountRole(asked.token_in),
        AccountRole(told),
        *(absent for _ in range(5)),
        AccountRole(trade.program(asked.token_in)),
        AccountRole(trade.program(told)),
        AccountRole(ASSOCIATED),
        AccountRole(SYSTEM),
        AccountRole(_EVENTS),
        AccountRole(PROGRAM),
        *trade.steps(asked.user, paid, signer=False),
    )
    return SvmInstruction(OTHER_PROGRAM if lie is Lie.OTHER_ENTRY else PROGRAM, roles, _arguments(asked, trade, lie))


def _arguments(asked: AskedOnSolana, trade: SvmTrade, lie: Lie | None) -> bytes:
    amount = asked.amount * 2 if lie is Lie.OTHER_AMOUNT else asked.amount
    expected = trade.amount_out // 2 if lie is Lie.WORSE_OUTPUT else trade.amount_out
    slippage = _WHOLE if lie is Lie.NO_MINIMUM else asked.slippage_bps
    steps = b"".join(pack("<BHB", _RAYDIUM_CPMM, _WHOLE, place << 4 | place + 1) for place in range(len(trade.legs)))
    head = pack("<QQQHI", 1, amount, expected, slippage, len(trade.legs))
    return _SWAP_TOB + head + steps + pack("<IHB", 0, 0, _TRIM)


def _made(payer: str, owner: str, mint: str, trade: SvmTrade) -> SvmInstruction:
    return CreateTokenAccount.of(payer, owner, mint, trade.program(mint)).encode()


def _described(mint: str) -> dict[str, object]:
    return {
        "decimal": "6", "isHoneyPot": False, "taxRate": "0", "tokenContractAddress": mint, "tokenSymbol": "",
        "tokenUnitPrice": None,
    }  # fmt: skip


def _written(instruction: SvmInstruction) -> dict[str, object]:
    accounts = [
        {"pubkey": role.address, "isSigner": role.signer, "isWritable": role.writable} for role in instruction.accounts
    ]
    return {
        "programId": instruction.program, "accounts": accounts, "data": b64encode(instruction.data).decode(),
    }  # fmt: skip
