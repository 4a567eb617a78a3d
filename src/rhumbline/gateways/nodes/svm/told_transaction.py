"""A transaction as a node told it: what says whose it is is read at once, the rest when somebody asks for it.

Anybody can have a transaction executed that names an address which is followed, with 64 calls of 10,240 bytes each in
it: some 900 kB of an answer for 5,000 lamports. Of a stranger's all that is passed over, not read.
"""

from dataclasses import dataclass, field

import msgspec

from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.nodes.svm.reading import NotUnderstood
from rhumbline.gateways.nodes.svm.transaction_answers import (
    ExecutedTransaction,
    Execution,
    read_execution,
    read_transaction,
)

LARGEST_ANSWER = 2 * 1024 * 1024
"""Bytes of a transaction's answer that are let in: the largest of 64 calls, with their accounts and lines, has half."""


@dataclass(frozen=True, slots=True)
class ToldTransaction(Execution):
    """A transaction of a block, and the node's whole answer about it."""

    body: bytes = field(repr=False)

    def read(self) -> ExecutedTransaction:
        """Read all of it; raise NotUnderstood."""
        try:
            answer = read_json(self.body)
        except ValueError:
            answer = None
        found = read_transaction(answer.get("result")) if isinstance(answer, dict) else None
        if found is None:
            raise NotUnderstood("the node answered something that is not a transaction")
        return found


class _Meta(msgspec.Struct, rename="camel"):
    err: msgspec.Raw = msgspec.Raw(b"null")
    loaded_addresses: msgspec.Raw = msgspec.Raw(b"null")


class _Result(msgspec.Struct, rename="camel"):
    slot: int
    transaction: tuple[str, str]
    meta: _Meta
    block_time: int | None = None


class _Answer(msgspec.Struct):
    result: _Result | None = None


_DECODER = msgspec.json.Decoder(_Answer)


def glance(body: bytes) -> ToldTransaction | None:
    """Read of an answer what tells whose transaction it is; None for an answer that has none, or of another form.

    Raise NotUnderstood for what is no transaction.
    """
    try:
        told = _DECODER.decode(body).result
        value = None if told is None else _fields(told)
    except (ValueError, RecursionError):
        return None
    found = read_execution(value)
    if found is None:
        return None
    return ToldTransaction(found.slot, found.block_time, found.message, found.error, body)


def _fields(told: _Result) -> dict[str, object]:
    meta = {"err": told.meta.err, "loadedAddresses": told.meta.loaded_addresses}
    return {
        "slot": told.slot, "blockTime": told.block_time, "transaction": list(told.transaction),
        "meta": {name: read_json(bytes(each)) for name, each in meta.items()},
    }  # fmt: skip
