"""Quotes and transactions of Jupiter."""

from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal

from rhumbline.adapters.jupiter.checking import CheckedSwap, Terms, check_answer
from rhumbline.adapters.jupiter.client import find_build
from rhumbline.adapters.jupiter.deployments import Deployment
from rhumbline.adapters.jupiter.fitting import fits
from rhumbline.adapters.jupiter.wire import BuildAnswer
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.amount import MAX_SVM, share_down
from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.gateways.nodes.svm.swap_accounts import SwapAccounts, read_swap_accounts
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.svm.tokens import TokenAccount
from rhumbline.gateways.svm.wrapping import Wrapping, wrapping_in, wrapping_out
from rhumbline.gateways.upstreams.spec import AdapterContext

LOGO = "https://jup.ag/favicon.ico"
UNPROVABLE = (
    "Through which pools a route goes, and what their programs do with the accounts that they are handed: only "
    "Jupiter knows the steps of its plan. The minimum arrives at least, by Jupiter's program; what else they take with "
    "the wallet's signature shows in the run, and is bounded at the transaction's end where there is room to assert "
    "it.",
    "Of a wallet that gets its funds after it asked, that no more than the amount is taken: Jupiter's program divides "
    "it among the steps, and no source of it is published.",
)
MOST_ACCOUNTS = (32, 20)
"""How many accounts a route may have, asked one after the other until its transaction leaves room for the service's."""
_WHOLE_BPS = 10_000
_LONGEST_SHARE = 60


@dataclass(frozen=True, slots=True)
class Offer:
    """An answer, and what the chain said of both tokens when it came."""

    found: BuildAnswer
    accounts: SwapAccounts


@dataclass(frozen=True, slots=True)
class JupiterAdapter:
    """The ``Adapter`` of Jupiter: swaps on Solana, by the wallet itself, of tokens to anybody."""

    context: AdapterContext[Deployment]
    info: AdapterInfo = field(init=False, repr=False)
    """Who the adapter is."""

    def __post_init__(self) -> None:
        chains = tuple(sorted(self.context.deployments))
        object.__setattr__(
            self,
            "info",
            AdapterInfo(self.context.key, "Jupiter", LOGO, Capability.EXCHANGE, chains, trust_assumptions=UNPROVABLE),
        )

    def supports(self, request: QuoteRequest, /) -> bool:
        """Accept two tokens of a Solana chain with a deployment, but wrapping, and native output to others."""
        origin = request.origin
        if origin.id not in self.context.deployments or origin.type is not ChainType.SVM:
            return False
        if request.destination_token.address == NATIVE_SVM and request.payout_address != request.sender:
            return False
        return request.taker == request.sender and request.is_swap

    async def quote(self, request: QuoteRequest, /) -> Quote[Offer]:
        """Ask for a swap whose minimum is fixed by ``request.slippage``; raise an AdapterError.

        ``min_output_amount`` is what the program enforces. What pools keep is off already and is not itemised.
        """
        place = self._place(request)
        if not 0 < request.amount <= MAX_SVM:
            raise RequestRejected("amount: it must be positive and have at most 64 bits")
        accounts = await self._read(request)
        terms = _terms(request, place, accounts)
        for most in MOST_ACCOUNTS:
            found = await find_build(self.context.http, terms, most)
            swap = check_answer(found, terms)
            # The smallest route may go without an assertion, rather than not at all: the program holds its minimum.
            asserted = most != MOST_ACCOUNTS[-1]
            if fits(terms.user, _instructions(swap, terms, accounts.wrapped), found, asserted=asserted):
                break
        else:
            raise NoRoute("has no route that leaves room in a transaction")
        if swap.minimum == 0:
            raise BelowMinimum("gives too little for a minimum", None)
        return Quote(
            self.context.key,
            request,
            found.out_amount,
            Offer(found, accounts),
            min_output_amount=swap.minimum,
            price_impact_bps=impact_bps(found.price_impact_pct),
        )

    async def build(self, quote: Quote[Offer], /) -> SvmDraft:
        """Return the quote's own swap, checked once more; it asks nothing of Jupiter.

        Raise SlippageTooTight when less is guaranteed than ``quote.min_output_amount``, RequestRejected without one.
        """
        request, place, minimum = quote.request, self._place(quote.request), quote.min_output_amount
        if minimum is None or not 0 < minimum <= quote.output_amount:
            raise RequestRejected("min_output_amount: a positive minimum not above the quoted output must be set first")
        accounts = await self._read(request)
        if accounts.programs != quote.payload.accounts.programs:
            raise UpstreamFailed("cannot tell what a token is: its node has changed its mind")
        terms = _terms(request, place, accounts)
        swap = check_answer(quote.payload.found, terms)
        if swap.minimum < minimum:
            raise SlippageTooTight("guarantees less than the minimum")
        return SvmDraft(
            request.origin.id,
            place.program,
            _instructions(swap, terms, accounts.wrapped),
            frozenset({place.program}),
            swap.tables,
            enforces_minimum=True,
            bounds_input=True,
        )

    def _place(self, request: QuoteRequest) -> Deployment:
        if not self.supports(request):
            raise NoRoute("does not serve this pair of tokens and chains")
        return self.context.deployments[request.origin.id]

    async def _read(self, request: QuoteRequest) -> SwapAccounts:
        rpc = self.context.svm_rpcs.get(request.origin.id)
        mints = _mint(request.origin_token), _mint(request.destination_token)
        return await read_swap_accounts(rpc, request.sender, *mints)


def impact_bps(said: object) -> int | None:
    """Read a price impact, a share of one in digits, as bps lost, rounded up; None when it is none."""
    if not isinstance(said, str) or len(said) > _LONGEST_SHARE or not said.isascii():
        return None
    digits = said.removeprefix("-")
    if not digits.replace(".", "", 1).isdecimal() or Decimal(said) > 1:
        return None
    return max(int((_WHOLE_BPS * Decimal(said)).to_integral_value(ROUND_CEILING)), 0)


def _mint(token: Token) -> str:
    return WRAPPED_SOL if token.address == NATIVE_SVM else token.address


def _terms(request: QuoteRequest, place: Deployment, accounts: SwapAccounts) -> Terms:
    program_in, program_out = accounts.programs
    return Terms(
        place.program, request.sender, request.payout_address, _mint(request.origin_token),
        _mint(request.destination_token), program_in, program_out, request.amount,
        min(share_down(_WHOLE_BPS, request.slippage), _WHOLE_BPS), request.origin_token.address == NATIVE_SVM,
        request.destination_token.address == NATIVE_SVM,
    )  # fmt: skip


def _instructions(swap: CheckedSwap, terms: Terms, held: TokenAccount | None) -> tuple[SvmInstruction, ...]:
    """Return everything that is executed; an account that is made twice is made once."""
    around = Wrapping()
    if terms.wraps:
        around = wrapping_in(terms.user, terms.amount, held)
    elif terms.unwraps:
        around = wrapping_out(terms.user, held)
    paid = CreateTokenAccount.of(terms.user, terms.receiver, terms.mint_out, terms.program_out).encode()
    before = dict.fromkeys((*around.before, paid, *swap.making))
    return (*before, swap.swap, *around.after)
