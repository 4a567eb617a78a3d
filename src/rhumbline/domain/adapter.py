"""What an adapter is: it translates between our words and one upstream's."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeGuard, TypeVar

from rhumbline.domain.chain import ChainType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import EvmTransaction, UpstreamTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus


class Capability(StrEnum):
    """What an adapter can do: same-chain swaps, transfers across chains, or both."""

    EXCHANGE = "exchange"
    BRIDGE = "bridge"
    MULTI = "multi"


@dataclass(frozen=True, slots=True)
class AdapterInfo:
    """An adapter's entry in the list of tools: ``chains`` are the IDs it can quote on with the present settings.

    ``scan_url`` is the page of a transfer on the bridge's explorer, with ``{txHash}`` (of the origin's transaction) or
    ``{reference}`` in it; None for exchanges. ``trust_assumptions`` are what the upstream's answers cannot prove, so
    that ``build`` relies on the upstream; each is a sentence for docs/exchanges.md or docs/bridges.md.
    ``proves_start`` is True for a bridge whose ``status`` itself finds the start of a transfer in its transaction, and
    answers UNKNOWN unless it matches the whole transfer: it may be asked about transfers without any evidence of ours.
    ``vendor`` is the upstream's owner, for keys that share one; None if that is the key. ``own_calls`` is True for an
    exchange whose quotes and calls we make entirely ourselves, from the chain's own data: only such a call is put
    before a bridge's in one transaction, or after it. ``carries_messages`` is True for a bridge that pays exactly what
    it quotes and calls the service's Receiver on arrival, with the request's ``message``; no other is asked with one.
    ``refunds_named`` are the types of origin chains from which a bridge refunds whom the request names, checked in what
    is signed; ``refund_terms`` are further sentences that hold only then. ``refunds_bound`` says of the others why
    nobody can be named, in a few words for the caller. ``gas_from`` are the types of
    origin chains from which a bridge itself brings ``QuoteRequest.destination_gas`` to an EVM chain, checked in what is
    signed.
    """

    key: str
    name: str
    logo_uri: str
    capability: Capability
    chains: tuple[int, ...]
    scan_url: str | None = None
    trust_assumptions: tuple[str, ...] = ()
    proves_start: bool = False
    vendor: str | None = None
    own_calls: bool = False
    carries_messages: bool = False
    refunds_named: tuple[ChainType, ...] = ()
    refund_terms: tuple[str, ...] = ()
    gas_from: tuple[ChainType, ...] = ()
    refunds_bound: str = ""

    def trusted(self, *, names_refund: bool) -> tuple[str, ...]:
        """Return the trust assumptions; ``names_refund``: the request names who gets refunds."""
        return self.trust_assumptions + self.refund_terms if names_refund else self.trust_assumptions


P = TypeVar("P")


class Adapter(Protocol[P]):
    """Translates between our words and one upstream's; decides nothing, remembers nothing."""

    @property
    def info(self) -> AdapterInfo:
        """Who the adapter is."""
        ...

    def supports(self, request: QuoteRequest, /) -> bool:
        """Return, without I/O, whether the adapter may be asked.

        A request whose ``taker`` is not its ``sender`` goes through the service's contracts; an adapter that can only
        be used by a wallet itself does not support it, and is asked again in the direct form.
        """
        ...

    async def quote(self, request: QuoteRequest, /) -> Quote[P]:
        """Ask the upstream; raise an AdapterError when there is no answer."""
        ...

    async def build(self, quote: Quote[P], /) -> UpstreamTransaction:
        """Build the transaction of the winning quote, checked against the request; raise an AdapterError if not."""
        ...


class Binder(Adapter[P], Protocol[P]):
    """An adapter whose upstream may swap before its bridge, in a transaction that can be made to enforce an amount."""

    def bind(self, transaction: EvmTransaction, quote: Quote[P], least: int, /) -> EvmTransaction:
        """Return the same transaction, which reverts unless the bridge takes ``least`` (raw units) under this order.

        Its ``deposit.least`` is at least ``least`` then. Pure. Raise UpstreamFailed when it cannot be made so.
        """
        ...


class OutputTaker(Adapter[P], Protocol[P]):
    """An adapter whose upstream also takes the output and says the input for it."""

    def names_input(self, request: QuoteRequest, /, *, priced: bool) -> bool:
        """Return, without I/O, whether ``input_for`` is worth a call for a request that is supported.

        ``priced`` tells that prices say about the input already. An upstream that knows few venues by the output is
        only worth it without.
        """
        ...

    async def input_for(self, request: QuoteRequest, output: int, /) -> int:
        """Return which input the upstream names for ``output`` raw units; ``request.amount`` does not count.

        It is where a search begins and no promise: what is answered is quoted by its input. Raise an AdapterError.
        """
        ...


class Bridge(Adapter[P], Protocol[P]):
    """An adapter that moves tokens across chains and can report a transfer's status."""

    async def status(self, transfer: Transfer, /) -> TransferStatus:
        """Return a transfer's status; UNKNOWN if the upstream does not know it (yet). Raise an AdapterError."""
        ...


def is_binder(adapter: Adapter[Any]) -> TypeGuard[Binder[Any]]:
    return hasattr(adapter, "bind")


def takes_output(adapter: Adapter[Any]) -> TypeGuard[OutputTaker[Any]]:
    return hasattr(adapter, "input_for")


def is_bridge(adapter: Adapter[Any]) -> TypeGuard[Bridge[Any]]:
    return hasattr(adapter, "status")
