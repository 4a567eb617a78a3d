"""Types for Solana fields in upstreams' answers: addresses, bytes, instructions."""

from base64 import b64decode, b64encode
from binascii import Error
from typing import Annotated

from pydantic import BeforeValidator

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import read_address
from rhumbline.gateways.upstreams.fields import CamelAnswer


def _base64(value: object) -> bytes:
    """Read base64 in its one form: padded, without blanks, nothing in the bits that count for nothing."""
    try:
        data = b64decode(value, validate=True) if isinstance(value, str) else None
    except (Error, ValueError):
        data = None
    if data is None or b64encode(data).decode() != value:
        raise ValueError("must be base64 of whole bytes")
    return data


SvmAddress = Annotated[str, BeforeValidator(read_address)]
"""An address in base58, which has one form only."""
Base64Bytes = Annotated[bytes, BeforeValidator(_base64)]
"""Bytes in base64."""


class AnsweredRole(CamelAnswer):
    """An account of an instruction, as most of Solana's upstreams write it."""

    pubkey: SvmAddress
    is_signer: bool
    is_writable: bool

    def role(self) -> AccountRole:
        return AccountRole(self.pubkey, self.is_signer, self.is_writable)


class AnsweredInstruction(CamelAnswer):
    """An instruction with its data in base64, as most of Solana's upstreams write it."""

    program_id: SvmAddress
    accounts: list[AnsweredRole]
    data: Base64Bytes

    def instruction(self) -> SvmInstruction:
        return SvmInstruction(self.program_id, tuple(each.role() for each in self.accounts), self.data)
