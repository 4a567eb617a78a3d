"""The answers of OKX's emulator for Solana: instructions over the sandbox's pools, and its lies.

The vendor's page on ``/swap-instruction`` (v6), and the interface description of its program in OKX's decoder for
market makers, read 2026-11-22; no genuine answer of v6 was found. The program is ``devnet/svm/program/okx.c``.
"""

from dataclasses import dataclass
from decimal import Decimal
from struct import pack

from rhumbline.devnet.upstreams.behaviour import Fails, Lie, Received
from rhumbline.devnet.upstreams.parameters import Parameters, anything, one_of, pattern, refusal, svm_address
from rhumbline.devnet.upstreams.svm_lies import OTHER_PROGRAM, STRANGER, handed_over, instruction_json
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.svm_table import pool_accounts, store_table
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import program_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer
from rhumbline.gateways.svm.programs import ASSOCIATED, SYSTEM

INDEX = "501"
PROGRAM = "proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u"
TABLE = "FqeeFKhvn4d19iJA7G4qU9tcfjHNUkEo2rKsht5Btztm"
_EVENTS = program_address([b"__event_authority"], PROGRAM)
_SWAP_TOB = bytes.fromhex("aa2955b184501f35")
_RAYDIUM_CPMM, _WHOLE, _TRIM = 14, 10_000, 10
_HEAP, _UNITS, _PRICE = 128 * 1024, 400_000, 1_000
_ACCOUNTS_A_STEP = 12
_COUNT = pattern("[1-9][0-9]{0,19}")
_REQUEST = Parameters(
    {
        "chainIndex": anything,
        "amount": _COUNT,
        "fromTokenAddress": svm_address,
        "toTokenAddress": svm_address,
        "slippagePercent": pattern(r"[0-9]{1,2}(\.[0-9]{1,4})?"),
        "userWalletAddress": svm_address,
    },
    {
        "swapReceiverAddress": svm_address,
        "swapMode": one_of("exactIn"),
        "maxAccounts": _COUNT,
        "maxCalldataSize": anything,
    },
    wrong=refusal("parameter_error", userWalletAddress="wallet_invalid", swapReceiverAddress="receiver_invalid"),
    unknown=refusal("parameter_error"),
    missing=lambda name: Fails(
        "parameter_empty", {"code": "50014", "msg": f"Parameter {name} cannot be empty", "data": []}
    ),
    empty_is_missing=True,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SolanaRequest:
    """A checked request."""

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
        """Return whether a trade needs no more accounts than requested."""
        return len(trade.legs) * _ACCOUNTS_A_STEP <= self.most_accounts


def read_request(received: Received) -> SolanaRequest:
    """Parse a request; raise Fails for what the vendor refuses."""
    query = _REQUEST.query(received)
    if query["chainIndex"] != INDEX:
        raise Fails("chain_unsupported")
    tokens = query["fromTokenAddress"], query["toTokenAddress"]
    if tokens[0] == tokens[1]:
        raise Fails("parameter_error")
    user = query["userWalletAddress"]
    return SolanaRequest(
        *tokens, int(query["amount"]), query["slippagePercent"], user, query.get("swapReceiverAddress", user),
        int(query.get("maxAccounts", "64")),
    )  # fmt: skip


async def store_tables(node: SvmNode) -> None:
    await store_table(node, TABLE, [*await pool_accounts(node), PROGRAM, _EVENTS, ASSOCIATED])


def instructions_answer(asked: SolanaRequest, trade: SvmTrade, lie: Lie | None) -> dict[str, object]:
    """Return an answer's ``data``: an object with tables and instructions, in order."""
    created = trade.account(asked.receiver, asked.token_out)
    minimum = trade.amount_out * (_WHOLE - asked.slippage_bps) // _WHOLE
    return {
        "addressLookupTableAccount": [TABLE, TABLE],
        "createTokenAccountList": [created],
        "instructionLists": [instruction_json(each) for each in _instructions(asked, trade, lie)],
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


def _instructions(asked: SolanaRequest, trade: SvmTrade, lie: Lie | None) -> list[SvmInstruction]:
    budget = ComputeBudget(_UNITS, _PRICE, _HEAP).instructions()
    between = [_made(asked.user, asked.user, leg.token_out, trade) for leg in trade.legs[:-1]]
    found = [*budget, *between, _made(asked.user, asked.receiver, asked.token_out, trade)]
    if lie is Lie.MORE_VALUE:
        found.append(SystemTransfer(asked.user, STRANGER, 1).encode())
    if lie is Lie.OTHER_SPENDER:
        found.append(handed_over(trade, asked.user, asked.token_in))
    return [*found, _swap(asked, trade, lie)]


def _swap(asked: SolanaRequest, trade: SvmTrade, lie: Lie | None) -> SvmInstruction:
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


def _arguments(asked: SolanaRequest, trade: SvmTrade, lie: Lie | None) -> bytes:
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
