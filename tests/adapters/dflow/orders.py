"""Orders as DFlow makes them: instructions of its program, whole transactions with a lookup table, and answers."""

from base64 import b64encode
from dataclasses import dataclass
from fractions import Fraction
from struct import pack
from typing import Any

from solders.keypair import Keypair

from rhumbline.adapters.dflow.actions import Form
from rhumbline.adapters.dflow.deployments import DEPLOYMENTS
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.gateways.svm.address import associated_token_address, program_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SYSTEM, WRAPPED_SOL

NUMBER = 1_000_000_001
PROGRAM = DEPLOYMENTS[NUMBER].program
WALLET, FRIEND, STRANGER = (str(Keypair.from_seed(bytes([n] * 32)).pubkey()) for n in (1, 2, 3))
VENUE, MARKET, VAULT, TABLE = (str(Keypair.from_seed(bytes([n] * 32)).pubkey()) for n in (4, 5, 6, 7))
SOL = Token(NUMBER, NATIVE_SVM, "SOL", 9, "Solana")
WSOL = Token(NUMBER, WRAPPED_SOL, "WSOL", 9, "Wrapped SOL")
USDC = Token(NUMBER, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC", 6, "USD Coin")
USDT = Token(NUMBER, "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "USDT", 6, "Tether USD")
SOLANA = Chain(NUMBER, "sol", "Solana", ChainType.SVM, SOL, mainnet=True, wrapped_native=WRAPPED_SOL)
EVENTS = program_address([b"__event_authority"], PROGRAM)
ENTRIES = {0: SYSTEM, 3: VENUE, 5: SPL, 7: ASSOCIATED, 9: MARKET, 11: EVENTS, 186: USDC.address, 187: USDT.address}
BLOCKHASH = str(Keypair.from_seed(bytes([8] * 32)).pubkey())
AMOUNT, OUTPUT, SLIPPAGE_BPS = 250_000_000, 249_876_543, 50
MINIMUM = 248_627_160
REQUEST = QuoteRequest(
    SOLANA, SOLANA, USDC, USDT, AMOUNT, sender=WALLET, receiver=WALLET, taker=WALLET, payout_address=WALLET,
    slippage=Fraction(5, 1000), deadline=1_900_000_000,
)  # fmt: skip


def tokens_of(owner: str, token: Token) -> str:
    mint = WRAPPED_SOL if token.address == NATIVE_SVM else token.address
    return associated_token_address(owner, mint, SPL)


def leg(amount: int, tag: int = 40) -> bytes:
    """A swap at BisonFi, whose flags nobody reads."""
    return pack("<BQB", tag, amount, 0x83)


MARK = bytes([38]) + b"mark"
MAKE_ACCOUNT, UNWRAP = bytes([60]), bytes([52])


def wrap(amount: int) -> bytes:
    return pack("<BQ", 51, amount)


def arguments(
    *actions: bytes, form: Form = Form.OWN, quoted: int = OUTPUT, slippage: int = SLIPPAGE_BPS, fee: int = 0
) -> bytes:
    return form.value + pack("<I", len(actions)) + b"".join(actions) + pack("<QHH", quoted, slippage, fee)


@dataclass(frozen=True)
class Trade:
    """A swap instruction for a request; ``more`` are accounts after those of the venue."""

    request: QuoteRequest = REQUEST
    data: bytes = arguments(MARK, leg(AMOUNT))
    named: tuple[str, ...] = ()
    more: tuple[AccountRole, ...] = ()

    def instruction(self) -> SvmInstruction:
        request = self.request
        source, target = tokens_of(request.sender, request.origin_token), tokens_of(WALLET, request.destination_token)
        written = (source, target, MARKET, VAULT, *self.named[:1])
        listed = (
            SPL, ASSOCIATED, SYSTEM, request.sender, *self.named, EVENTS, PROGRAM, VENUE, request.sender, MARKET,
            VAULT, source, *(() if self.named else (target,)),
        )  # fmt: skip
        roles = tuple(
            AccountRole(each, each == request.sender, each == request.sender or each in written) for each in listed
        )
        return SvmInstruction(PROGRAM, roles + self.more, self.data)


BUDGET = ComputeBudget(units=240_000, micro_lamports=116, heap=65_536)


def whole(*instructions: SvmInstruction, payer: str = WALLET, budget: ComputeBudget = BUDGET) -> bytes:
    """A transaction with the budget first, as DFlow lays it out, that nobody has signed."""
    listed = (*budget.instructions(), *instructions)
    message = compile_v0(payer, listed, [LookupTable(TABLE, ENTRIES)], BLOCKHASH)
    signers = [payer, *dict.fromkeys(r.address for each in listed for r in each.accounts if r.signer)]
    return serialise(message, list(dict.fromkeys(signers)), {})


def answered(transaction: bytes, request: QuoteRequest = REQUEST, **changes: Any) -> dict[str, Any]:
    """An answer in the documented shape."""
    mints = [
        WRAPPED_SOL if t.address == NATIVE_SVM else t.address for t in (request.origin_token, request.destination_token)
    ]
    legs: dict[str, Any] = {
        "inputMint": mints[0],
        "outputMint": mints[1],
        "inAmount": str(request.amount),
        "outAmount": str(OUTPUT),
    }
    legs |= {"inputMintDecimals": 6, "outputMintDecimals": 6}
    return {
        "inputMint": mints[0],
        "inAmount": str(request.amount),
        "outputMint": mints[1],
        "outAmount": str(OUTPUT),
        "otherAmountThreshold": str(MINIMUM + 1),
        "minOutAmount": str(MINIMUM + 1),
        "slippageBps": SLIPPAGE_BPS,
        "platformFee": None,
        "priceImpactPct": "0.0012",
        "routePlan": [{"venue": "BisonFi", "marketKey": MARKET, **legs}],
        "contextSlot": 440_909_041,
        "executionMode": "sync",
        "transaction": b64encode(transaction).decode(),
        "lastValidBlockHeight": 418_958_566,
        "prioritizationFeeLamports": 0,
        "computeUnitLimit": 240_000,
        "prioritizationType": {"computeBudget": {"microLamports": 116, "estimatedMicroLamports": 116}},
        "addressLookupTables": [{"address": TABLE, "addresses": {str(n): each for n, each in ENTRIES.items()}}],
        **changes,
    }  # fmt: skip
