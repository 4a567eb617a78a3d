"""How much of an EVM node's answer is accepted, by method: bytes, and values, which cost far more than their bytes.

Decoding blocks every chain meanwhile, in a thread too, because JSON libraries do not release the interpreter's lock: 30
MB of empty lists are 20 million values and take 3 s, 20 MB of 20,000 transactions 0.4 million and 0.1 s
(docs/decisions/0041). So values are counted first, by their commas and brackets, which takes 2 ms a megabyte.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

_MIB = 1024 * 1024
_UNCOUNTED = 4096


@dataclass(frozen=True, slots=True)
class Bound:
    """The largest number of bytes (``size``) and values of an answer."""

    size: int
    values: int

    def is_exceeded(self, raw: bytes) -> bool:
        """Return whether there may be more values; commas in a text count as well, and there are none in hex."""
        if len(raw) <= _UNCOUNTED:
            return False
        return raw.count(b",") + raw.count(b"[") + raw.count(b"{") > self.values


MOST = Bound(32 * _MIB, 1_000_000)
"""Per request. The largest answer that cannot be requested in parts is a block with its transactions: at most 8 MiB
(EIP-7934), so 16 MiB of hex and the JSON around it, with some twenty values per transaction.
"""
_USUAL = Bound(_MIB, 1_000)
_BY_METHOD: Mapping[str, Bound] = MappingProxyType(
    {
        # Any contract may return megabytes, which must not make its node seem unavailable.
        "eth_call": Bound(32 * _MIB, 1_000),
        "eth_getBlockByNumber": Bound(2 * _MIB, 100_000),
        "eth_getBlockReceipts": Bound(16 * _MIB, 500_000),
        "eth_getLogs": Bound(16 * _MIB, 500_000),
        "eth_getTransactionReceipt": Bound(16 * _MIB, 300_000),
        "eth_sendTransactionSync": Bound(16 * _MIB, 300_000),
        "eth_simulateV1": Bound(32 * _MIB, 300_000),
        "eth_feeHistory": Bound(_MIB, 10_000),
        "anvil_dumpState": MOST,
    }
)


def bound_of(calls: Iterable[tuple[str, Sequence[object]]]) -> Bound:
    """Return the bound for one request: the sum of its calls', no more than ``MOST``."""
    size = values = 0
    for method, params in calls:
        whole = method == "eth_getBlockByNumber" and tuple(params[-1:]) == (True,)
        bound = MOST if whole else _BY_METHOD.get(method, _USUAL)
        size, values = size + bound.size, values + bound.values
    return Bound(min(size, MOST.size), min(values, MOST.values))
