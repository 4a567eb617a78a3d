"""The fields that are read of KyberSwap's answers, under its own names (snake case here, camel case there)."""

from typing import Literal

from rhumbline.gateways.upstreams.fields import CamelAnswer, EvmAddress, HexBytes, RawAmount


class ExtraFee(CamelAnswer):
    """An integrator's fee; ``fee_amount`` is one number or several with commas, or empty."""

    fee_amount: str = ""
    fee_receiver: str = ""


class RouteSummary(CamelAnswer):
    """The terms of a route; amounts in raw units, ``gas`` in units of gas."""

    token_in: EvmAddress
    amount_in: RawAmount
    token_out: EvmAddress
    amount_out: RawAmount
    gas: RawAmount | None = None
    extra_fee: ExtraFee | None = None


class RouteData(CamelAnswer):
    """The answer to a quote."""

    route_summary: RouteSummary
    router_address: EvmAddress


class RouteAnswer(CamelAnswer):
    """The answer to a quote, in its envelope; ``code`` 0 is success."""

    code: Literal[0]
    data: RouteData


class BuildData(CamelAnswer):
    """The router's call; ``transaction_value`` in wei."""

    amount_in: RawAmount
    amount_out: RawAmount
    data: HexBytes
    router_address: EvmAddress
    transaction_value: RawAmount


class BuildAnswer(CamelAnswer):
    """The answer to a build, in its envelope."""

    code: Literal[0]
    data: BuildData
