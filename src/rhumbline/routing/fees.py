"""The fees taken from the input, and the itemised and total costs in an answer. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.account import Integrator
from rhumbline.domain.amount import mul_div_up, share_down
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.fee import ChainWallets, Charge, FeeItem, FeeKind, FeeRule, FeeType, largest_share
from rhumbline.domain.route import FeeBreakdown, RouteWarning
from rhumbline.domain.token import Token
from rhumbline.domain.unowned_addresses import is_placeholder
from rhumbline.routing.quote_prices import PriceReader, usd_price

FEE_SKIPPED = "INTEGRATOR_WALLET_NOT_CONFIGURED_FEE_SKIPPED"


@dataclass(frozen=True, slots=True)
class FeeSettings:
    """The rule for callers without their own, and the service's fee wallets by the origin's type: no wallet, no fee."""

    rule: FeeRule = field(default_factory=FeeRule)
    service_wallets: ChainWallets = field(default_factory=ChainWallets)


@dataclass(frozen=True, slots=True)
class Intake:
    """The division of an input: ``net`` is what the upstream is asked with. net + charges = the whole amount.

    ``shortage`` warns that the wallet has less than that now, where it is looked at before anything is built.
    """

    net: int
    charges: tuple[Charge, ...] = ()
    warnings: tuple[RouteWarning, ...] = ()
    shortage: RouteWarning | None = None


@dataclass(frozen=True, slots=True)
class FeeTerms:
    """The fees that apply: ``share`` and ``name`` are the integrator's; the origin cannot pay ``refused`` wallets."""

    settings: FeeSettings
    rule: FeeRule
    share: Fraction
    integrator: Integrator | None
    name: str | None
    refused: frozenset[str] = frozenset()

    def service_share(self, chain: Chain) -> Fraction:
        """Return the service's share; nothing where there is no wallet to pay it to."""
        return Fraction(0) if self.service_wallet(chain) is None else self.rule.service_share

    def service_wallet(self, chain: Chain) -> str | None:
        return self._payable(chain, self.settings.service_wallets.of(chain.type))

    def integrator_wallet(self, chain: Chain) -> str | None:
        return self._payable(chain, None if self.integrator is None else self.integrator.wallet(chain.type))

    def _payable(self, chain: Chain, wallet: str | None) -> str | None:
        """Return a payable wallet: the store may hold an unowned one from before such were refused."""
        return None if wallet is None or wallet in self.refused or is_placeholder(chain.type, wallet) else wallet


def divide(amount: int, chain: Chain, terms: FeeTerms) -> Intake:
    """Deduct the fees from a gross amount; each is rounded down, zero fees are left out.

    Raise InvalidRequest when the integrator asks for a larger share than the rule, or than the chain's bound, permits.
    """
    service_wallet = terms.service_wallet(chain)
    service = Fraction(0) if service_wallet is None else terms.rule.service_share
    if terms.share > terms.rule.largest_integrator_share:
        largest = _shown(terms.rule.largest_integrator_share)
        raise InvalidRequest([f"fee: must be at most {largest}, the limit of this API key"])
    bound = largest_share(chain.type)
    if service + terms.share > bound:
        largest = _shown(max(bound - service, Fraction(0)))
        raise InvalidRequest([f"fee: must be at most {largest}, because of the service's own fee"])
    charges = [Charge(FeeKind.SERVICE, service_wallet or "", share_down(amount, service))]
    wallet = terms.integrator_wallet(chain)
    warnings: tuple[RouteWarning, ...] = ()
    if wallet is not None:
        charges.append(Charge(FeeKind.INTEGRATOR, wallet, share_down(amount, terms.share)))
    elif terms.share:
        warnings = (fee_skipped("the integrator has no wallet registered for this type of chain"),)
    taken = tuple(charge for charge in charges if charge.amount)
    return Intake(amount - sum(charge.amount for charge in taken), taken, warnings)


def fee_skipped(why: str) -> RouteWarning:
    return RouteWarning(FEE_SKIPPED, f"The integrator's fee is not taken: {why}.")


def gross_for(net: int, chain: Chain, terms: FeeTerms) -> int:
    """Return the smallest gross amount that leaves at least ``net`` after fees."""
    kept = 1 - terms.service_share(chain) - (0 if terms.integrator_wallet(chain) is None else terms.share)
    # Two fees are each rounded down, so up to two units more than the exact share may be left.
    gross = max(net, mul_div_up(max(net - 2, 0), kept.denominator, kept.numerator))
    while divide(gross, chain, terms).net < net:
        gross += 1
    return gross


def _shown(share: Fraction) -> str:
    return format((Decimal(share.numerator) / Decimal(share.denominator)).normalize(), "f")


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a route beside the charges; ``upstream`` as the adapter states them, others in native units.

    ``gas`` is the network's fee, ``rent`` what accounts cost that the transaction makes. ``fee_payer`` pays the fee,
    the ``tip`` to the block's maker, and ``sponsored_rent``, a part of the rent; None where the wallet pays all.
    """

    upstream: tuple[FeeItem, ...] = ()
    native_fee: int = 0
    gas: int = 0
    rent: int = 0
    tip: int = 0
    fee_payer: str | None = None
    sponsored_rent: int = 0


def itemise(origin: Chain, token: Token, charges: Iterable[Charge], costs: Costs, prices: PriceReader) -> FeeBreakdown:
    """List every fee and total them in the origin token.

    Items in the origin token count exactly, others are converted at cached prices and rounded up; an item without a
    price is left out of the total, which is then not ``complete``. Conversion and USD amounts use the same price.
    """
    items = [FeeItem(FeeType.APP, charge.amount, token) for charge in charges]
    items += costs.upstream
    if costs.native_fee:
        items.append(FeeItem(FeeType.RELAYER, costs.native_fee, origin.native, included=False))
    # The contract has no type of its own for a tip, nor for rent, which are paid beside the amount.
    own_rent, payer = costs.rent - costs.sponsored_rent, costs.fee_payer
    for amount, paid_by in ((costs.gas, payer), (costs.tip, payer), (own_rent, None), (costs.sponsored_rent, payer)):
        if amount:
            items.append(FeeItem(FeeType.GAS, amount, origin.native, included=False, paid_by=paid_by))
    return totalled(items, origin, token, prices)


def totalled(items: Iterable[FeeItem], origin: Chain, token: Token, prices: PriceReader) -> FeeBreakdown:
    """Price items and total them in ``token`` of ``origin``, as ``itemise`` does."""
    unit = usd_price(token, prices)
    priced = tuple(replace(item, unit_usd=usd_price(item.token, prices)) for item in items)
    amounts = [_in_token(item, origin, token, unit) for item in priced]
    total = sum(amount for amount in amounts if amount is not None)
    return FeeBreakdown(priced, total, complete=None not in amounts, unit_usd=unit)


def _in_token(item: FeeItem, origin: Chain, token: Token, unit: Decimal | None) -> int | None:
    if _same_asset(item.token, token, origin):
        return item.amount
    if item.unit_usd is None or unit is None:
        return None
    (sold, of_sold), (paid, of_paid) = item.unit_usd.as_integer_ratio(), unit.as_integer_ratio()
    numerator, denominator = sold * of_paid * 10**token.decimals, paid * of_sold * 10**item.token.decimals
    return mul_div_up(item.amount, numerator, denominator)


def _same_asset(one: Token, other: Token, chain: Chain) -> bool:
    """Return whether two tokens are the same; the native asset and its wrapped form count as one."""
    if one.chain_id != other.chain_id:
        return False
    native = {chain.native.address, chain.wrapped_native}
    return one.address == other.address or (one.chain_id == chain.id and {one.address, other.address} <= native)
