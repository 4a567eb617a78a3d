"""A page of the transactions that name an address.

A node tells the memo of each: up to 4,000 bytes of a stranger's, six times as many where each is a control character.
Nobody reads it, so it is passed over; and where a page becomes too large by it, a shorter one is asked for.
"""

import msgspec

from rhumbline.gateways.http.strict_json import read_json
from rhumbline.gateways.nodes.svm.answers import SignatureInfo, read_signature_info

LARGEST_PAGE = 4 * 1024 * 1024
"""Bytes of a page that are let in: a thousand transactions without memos have 200 kB."""


class _Listed(msgspec.Struct, rename="camel"):
    signature: str
    slot: int
    err: msgspec.Raw = msgspec.Raw(b"null")
    block_time: int | None = None
    confirmation_status: str | None = None


class _Answer(msgspec.Struct):
    result: list[_Listed]


_DECODER = msgspec.json.Decoder(_Answer)


def read_page(body: bytes) -> tuple[SignatureInfo, ...] | None:
    """Read an answer; None for one without a page, or of another form. Raise NotUnderstood for what is none."""
    try:
        fields = [_fields(each) for each in _DECODER.decode(body).result]
    except (ValueError, RecursionError):
        return None
    return tuple(map(read_signature_info, fields))


def _fields(listed: _Listed) -> dict[str, object]:
    return {
        "signature": listed.signature, "slot": listed.slot, "err": read_json(bytes(listed.err)),
        "blockTime": listed.block_time, "confirmationStatus": listed.confirmation_status,
    }  # fmt: skip
