"""What the suite of the exchanges on EVM chains must know of one: facts of its upstream, no behaviour."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from rhumbline.devnet.upstreams.emulator import Emulator, Lie
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.upstreams.error_table import ErrorTable
from rhumbline.gateways.upstreams.spec import AdapterSpec
from tests.adapters.conformance.case import Ask

D = TypeVar("D")
ONE = 10**18
STRANGER = "0x000000000000000000000000000000000000dead"
ASKS = (
    Ask("sbxa", "sbxa", "WETH", "USDC", ONE),
    Ask("sbxa", "sbxa", "ETH", "USDC", ONE),
    Ask("sbxa", "sbxa", "USDC", "ETH", 2_000 * 10**6),
    Ask("sbxb", "sbxb", "USDT", "WETH", 2_000 * 10**6),
    Ask("sbxa", "sbxa", "WETH", "USDC", ONE, direct=True),
    Ask("sbxa", "sbxa", "ETH", "DAI", ONE, direct=True),
)
REFUSED = (
    Ask("sbxa", "sbxb", "USDC", "USDC", 10**6),
    Ask("sbxa", "sbxa", "USDC", "USDC", 10**6),
    Ask("sbxa", "sbxa", "ETH", "WETH", ONE),
    Ask("sbxa", "sbxa", "WETH", "ETH", ONE),
)
"""What every exchange answers and refuses in the conformance suite."""


@dataclass(frozen=True)
class Exchange:
    """One exchange, and what its recorded answers say.

    ``recordings`` are recorded answers by the ends of their paths: the first quotes, the last has the call, which is
    the same answer where the minimum is fixed when quoting. Places in an answer are dotted (``data.0.tx.to``). Of the
    quoting answer ``input_token`` is where the input is named, ``optional`` what need not be there; of the one with the
    call ``call`` is where its data is, ``value`` its native value. ``asked`` is the path and ``query`` the whole query
    for ``REQUEST``, ``sold`` and ``slippage`` its parameters for the input and the slippage, ``people`` those that name
    ``WALLET`` as the caller and ``RECEIVER`` as whom to pay. ``transaction`` is what is built, without its data.

    ``errors`` is the adapter's table and ``replies`` how its upstream says a code of it: bodies with their statuses.
    ``failures`` are other replies and what they mean, ``others`` changed answers (the recording's path, the place, the
    value) with what they are refused as. ``changed_call`` puts other values at places of a call: those of
    ``other_calls`` are refused with a word, those of ``native_call`` make it one for a native input. ``reverts`` is
    what the contract says below the minimum, ``above`` by how much an execution brings more than its quote;
    ``harmless`` are lies about what the adapter does not read.
    """

    spec: AdapterSpec[Any]
    emulator: type[Emulator]
    name: str
    folder: Path
    recordings: Mapping[str, str]
    output: int
    minimum: int
    estimates: tuple[int | None, int | None]
    input_token: str
    optional: tuple[str, ...]
    call: str
    value: str
    asked: str
    query: Mapping[str, object]
    sold: str
    transaction: EvmTransaction
    errors: ErrorTable[Any]
    replies: Callable[[Any], Iterable[tuple[object, int]]]
    failures: tuple[tuple[object, int, type[AdapterError]], ...]
    others: tuple[tuple[str, str, object, type[AdapterError]], ...]
    changed_call: Callable[[bytes, Mapping[Any, Any]], bytes]
    other_calls: Mapping[str, Mapping[Any, object]]
    native_call: Mapping[Any, object]
    reverts: str
    people: Mapping[str, str] = field(default_factory=dict)
    slippage: str = ""
    slippages: tuple[tuple[Fraction, str], ...] = ()
    above: int = 0
    credentials: Mapping[str, str] = field(default_factory=dict)
    needs_node: bool = False
    harmless: frozenset[Lie] = frozenset()

    @property
    def quotes(self) -> str:
        """The end of the path that quotes."""
        return next(iter(self.recordings))

    @property
    def calls(self) -> str:
        """The end of the path whose answer has the call."""
        return list(self.recordings)[-1]

    @property
    def fixes_minimum(self) -> bool:
        """Whether the minimum is fixed when quoting."""
        return len(self.recordings) == 1


def at(document: Any, place: str) -> Any:
    """What is at a place of a JSON document."""
    for part in place.split("."):
        document = document[_key(part)]
    return document


def put(document: D, place: str, value: object) -> D:
    """The document, changed at a place."""
    before, _, last = place.rpartition(".")
    inside: Any = at(document, before) if before else document
    inside[_key(last)] = value
    return document


def _key(part: str) -> int | str:
    return int(part) if part.lstrip("-").isdecimal() else part


def other(values: Iterable[Any], place: int, value: object) -> tuple[Any, ...]:
    """The values with another one at a place."""
    changed = [*values]
    changed[place] = value
    return tuple(changed)
