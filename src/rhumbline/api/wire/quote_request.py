"""The parameters of a quote, and parsing a request with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rhumbline.api.parameters.addresses import judged, read_currency, read_wallet
from rhumbline.api.parameters.lists import AdapterKeys
from rhumbline.api.parameters.parameter import (
    CHAIN_ID,
    Amount,
    Choice,
    Parameter,
    Reading,
    Share,
    Text,
    required,
)
from rhumbline.api.wire.arrival_request import DESTINATION_CALL, DESTINATION_GAS, Wanted, read_wanted
from rhumbline.api.wire.fee_request import FEE, INTEGRATOR, check_fee
from rhumbline.api.wire.refund_address import REFUND_TO, read_refund_address
from rhumbline.api.wire.solana_terms import SOLANA_PARAMETERS, read_solana_terms
from rhumbline.api.wire.trade_type import TRADE_TYPE, check_exact_output
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tools import KNOWN_ADAPTERS
from rhumbline.domain.account import ApiClient
from rhumbline.domain.adapter import Capability
from rhumbline.domain.amount import MAX_SVM
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.route import AdapterFilter, Order, RouteRequest, TradeType

SENDER = Parameter(
    "senderAddress",
    Text(),
    "Wallet on the origin chain that signs the transaction. Mixed-case EVM addresses must have a correct checksum.",
    "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
    required=True,
    remedy="the wallet on the origin chain that signs the transaction",
)
RECEIVER = Parameter(
    "receiverAddress",
    Text(),
    "Wallet on the destination chain that receives. Default: the sender; required if the chain types differ.",
    "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
    remedy="the wallet on the destination chain that receives",
)
ORIGIN_CHAIN = Parameter(
    "originChainId",
    CHAIN_ID,
    "Origin chain.",
    "1",
    required=True,
    remedy="the numeric ID of the origin chain; GET /v1/chains lists them",
)
DESTINATION_CHAIN = Parameter(
    "destinationChainId",
    CHAIN_ID,
    "Destination chain; the same as the origin for a swap.",
    "1",
    required=True,
    remedy="the numeric ID of the destination chain; GET /v1/chains lists them",
)
AMOUNT = Parameter(
    "amount",
    Amount(),
    "Input amount in the origin token's smallest units, before all fees; at most 2^256-1 (EVM) or 2^64-1 (SVM). With "
    "`tradeType=EXACT_OUTPUT` the output amount in the destination token's.",
    "1000000",
    required=True,
    remedy="the input amount in the origin token's smallest units",
)
ORIGIN_CURRENCY = Parameter(
    "originCurrency",
    Text(),
    "Address of the input token, or the chain's native marker.",
    "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    required=True,
    remedy="the address of the input token, or the chain's native marker",
)
DESTINATION_CURRENCY = Parameter(
    "destinationCurrency",
    Text(),
    "Address of the output token, or the chain's native marker.",
    "0x0000000000000000000000000000000000000000",
    required=True,
    remedy="the address of the output token, or the chain's native marker",
)
SLIPPAGE = Parameter(
    "slippage",
    Share(Fraction(1), "0.005 is 0.5 %"),
    "Slippage: the largest loss of the estimated output, as a fraction.",
    "0.005",
    remedy="a fraction from 0 to 1",
)
SLIPPAGE_MODE = Parameter(
    "slippageMode",
    Choice(("auto",)),
    "With `auto` the service chooses the slippage; it overrides `slippage`.",
    "auto",
    remedy="auto",
)

ORDER = Parameter(
    "order",
    Choice(tuple(Order)),
    "The ranking: value less a small cost of time and failures (`RECOMMENDED`, the default); value "
    "alone (`CHEAPEST`); time, then value (`FASTEST`).",
    "RECOMMENDED",
    remedy="RECOMMENDED, CHEAPEST or FASTEST",
)

EXPLAIN = Parameter(
    "explain",
    Choice(("true", "false")),
    "`true` adds to an answer of `ONCHAIN` how to recompute it. Beyond the contract.",
    "true",
    remedy="true or false",
)

PERMITS = Parameter(
    "permits",
    Choice(("true", "false")),
    "`true` adds to an answer on an EVM chain a `permit` where the token and the wallet can use one: a signature and "
    "one transaction in place of the approvals and the call. Beyond the contract.",
    "true",
    remedy="true or false",
)


def _filter(verb: str, kind: Capability, plural: str, other: str, example: str) -> Parameter[frozenset[str]]:
    name = f"{verb}{plural}"
    effect = "Only these may" if verb == "include" else "These may not"
    legs = "cross-chain" if kind is Capability.BRIDGE else "same-chain"
    valid = ", ".join(f"`{key}`" for key, own in KNOWN_ADAPTERS.items() if own in (kind, Capability.MULTI))
    return Parameter(
        name,
        AdapterKeys(kind, f"{verb}{other}"),
        f"Comma-separated adapter keys. {effect} serve {legs} legs; an exclusion overrides an inclusion. Valid in any "
        f"case, listed by `/v1/tools` or not: {valid}.",
        example,
        remedy=f"adapter keys of the kind {kind}, separated by commas",
    )


INCLUDE_BRIDGES = _filter("include", Capability.BRIDGE, "Bridges", "Exchanges", "ACROSS,RELAY")
INCLUDE_EXCHANGES = _filter("include", Capability.EXCHANGE, "Exchanges", "Bridges", "ONCHAIN,OPENOCEAN")
EXCLUDE_BRIDGES = _filter("exclude", Capability.BRIDGE, "Bridges", "Exchanges", "GASZIP")
EXCLUDE_EXCHANGES = _filter("exclude", Capability.EXCHANGE, "Exchanges", "Bridges", "OPENOCEAN")

QUOTE_PARAMETERS: tuple[Parameter[object], ...] = (
    SENDER, RECEIVER, ORIGIN_CHAIN, DESTINATION_CHAIN, AMOUNT, ORIGIN_CURRENCY, DESTINATION_CURRENCY, INTEGRATOR, FEE,
    SLIPPAGE, SLIPPAGE_MODE, ORDER, INCLUDE_BRIDGES, INCLUDE_EXCHANGES, EXCLUDE_BRIDGES, EXCLUDE_EXCHANGES, TRADE_TYPE,
    *SOLANA_PARAMETERS, DESTINATION_GAS, DESTINATION_CALL, REFUND_TO,
)  # fmt: skip
ANSWER_PARAMETERS: tuple[Parameter[object], ...] = (*QUOTE_PARAMETERS, EXPLAIN, PERMITS)
"""Parameters of a single route's answer."""


@dataclass(frozen=True, slots=True)
class _Ends:
    """Both ends of a route as far as they could be read."""

    origin: Chain | None
    destination: Chain | None
    origin_token: str | None
    destination_token: str | None
    sender: str | None
    receiver: str | None
    amount: int | None
    exact_output: bool


def parse_quote_request(
    reading: Reading,
    caller: ApiClient,
    chains: ChainCatalog,
    adapters: Mapping[str, Capability] = KNOWN_ADAPTERS,
) -> RouteRequest:
    """Parse and check a quote's parameters without any I/O; ``adapters`` are those that filters may name.

    ``reading`` may have begun already, with faults and names of its own. Raise InvalidRequest with all faults at once;
    WrongAddress when the only faults are wallets of the wrong form or chain type; NotFound when a chain is not served
    and nothing else is wrong.
    """
    filters = [
        _naming(each, adapters) for each in (INCLUDE_BRIDGES, INCLUDE_EXCHANGES, EXCLUDE_BRIDGES, EXCLUDE_EXCHANGES)
    ]
    ends = _read_ends(reading, chains)
    integrator, fee = reading.take(INTEGRATOR), reading.take(FEE)
    if integrator is not None or reading.has(FEE):
        check_fee(reading, caller, integrator, fee)
    slippage, mode, order = reading.take(SLIPPAGE), reading.take(SLIPPAGE_MODE), reading.take(ORDER)
    bridges, exchanges, no_bridges, no_exchanges = map(reading.take, filters)
    explain, permits = (reading.take(each) == "true" for each in (EXPLAIN, PERMITS))
    solana, refund_to, wanted = None, None, Wanted()
    if any(map(reading.has, SOLANA_PARAMETERS)):
        solana = read_solana_terms(reading, ends.origin, ends.sender, ends.receiver)
    if reading.has(REFUND_TO):
        refund_to = read_refund_address(reading, ends.origin, ends.destination, ends.origin_token, ends.sender)
    choice = AdapterFilter(bridges, exchanges, no_bridges or frozenset(), no_exchanges or frozenset())
    if any(map(reading.has, (DESTINATION_GAS, DESTINATION_CALL))):
        named = ends.receiver if reading.has(RECEIVER) else None
        wanted = read_wanted(reading, ends.origin, ends.destination, ends.destination_token, named)
    if ends.exact_output:
        check_exact_output(reading, slippage if mode is None else None)
    reading.finish()
    return RouteRequest(
        origin=required(ends.origin),
        destination=required(ends.destination),
        origin_token=required(ends.origin_token),
        destination_token=required(ends.destination_token),
        amount=0 if ends.exact_output else required(ends.amount),
        sender=required(ends.sender),
        receiver=wanted.fallback or required(ends.receiver),
        client=caller,
        integrator=integrator if caller.integrator is None else caller.integrator.name,
        fee_share=fee,
        slippage=slippage,
        auto_slippage=mode is not None,
        adapters=choice,
        receiver_defaulted=not reading.has(RECEIVER) and wanted.fallback is None,
        order=Order.RECOMMENDED if order is None else Order(order),
        explain=explain,
        wanted_output=required(ends.amount) if ends.exact_output else None,
        solana=solana,
        permits=permits,
        destination_gas=wanted.gas,
        auto_destination_gas=wanted.auto_gas,
        destination_call=wanted.call,
        refund_to=refund_to,
    )


def _naming(parameter: Parameter[frozenset[str]], adapters: Mapping[str, Capability]) -> Parameter[frozenset[str]]:
    rule = parameter.rule
    return replace(parameter, rule=replace(rule, known=adapters)) if isinstance(rule, AdapterKeys) else parameter


def _read_ends(reading: Reading, chains: ChainCatalog) -> _Ends:
    exact_output = reading.take(TRADE_TYPE) == TradeType.EXACT_OUTPUT
    sender_text, receiver_text = reading.take(SENDER), reading.take(RECEIVER)
    origin, destination = reading.chain(ORIGIN_CHAIN, chains), reading.chain(DESTINATION_CHAIN, chains)
    amount = reading.take(AMOUNT)
    end = destination if exact_output else origin
    if amount is not None and end is not None and end.type is ChainType.SVM and amount > MAX_SVM:
        reading.fault(AMOUNT.name, f"must be at most {MAX_SVM} (2^64-1) on {end.name}; got {amount}")
    sold, bought = reading.take(ORIGIN_CURRENCY), reading.take(DESTINATION_CURRENCY)
    origin_token = judged(read_currency, reading.fault, ORIGIN_CURRENCY, sold, origin)
    destination_token = judged(read_currency, reading.fault, DESTINATION_CURRENCY, bought, destination)
    if origin is not None and origin is destination and origin_token is not None and origin_token == destination_token:
        reading.fault(
            DESTINATION_CURRENCY.name,
            "names the same token on the same chain as originCurrency: name another token or chain",
        )
    sender = judged(read_wallet, reading.wrong_wallet, SENDER, sender_text, origin)
    receiver = None
    if reading.has(RECEIVER):
        receiver = judged(read_wallet, reading.wrong_wallet, RECEIVER, receiver_text, destination)
    elif origin is not None and destination is not None:
        if origin.type is destination.type:
            receiver = sender
        else:
            reading.fault(
                RECEIVER.name,
                f"is missing: it is required from {origin.type} to {destination.type}; give {RECEIVER.remedy}",
            )
    return _Ends(origin, destination, origin_token, destination_token, sender, receiver, amount, exact_output)
