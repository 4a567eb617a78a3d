"""Instructions as upstreams write them, in objects of JSON or in whole transactions, taken apart and put back."""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from solders.keypair import Keypair
from solders.transaction import VersionedTransaction

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.decompiler import Decompiled, decompile, lookup_tables_of
from rhumbline.gateways.svm.messages import Unfit, compile_v0, serialise, signer_count

_SHORTEST = 200
Put = Callable[[Any], None]


@dataclass
class Piece:
    """A list of instructions in an answer; ``write`` replaces them, ``grows``: more are possible."""

    instructions: list[SvmInstruction]
    write: Callable[[Sequence[SvmInstruction]], None]
    grows: bool


@dataclass
class Whole:
    """A whole transaction in an answer, as bytes; ``put`` writes others in its place."""

    data: bytes
    read: Decompiled
    put: Callable[[bytes], None]


def walk(document: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield all positions of a document: the container, the key in it, and the value."""
    found = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in list(found):
        yield document, key, value
        if isinstance(value, dict | list):
            yield from walk(value)


def wholes(document: Any, tables: Mapping[str, LookupTable]) -> list[Whole]:
    """Return the whole transactions in a document; those whose tables are not known are left out."""
    found = []
    for group, key, value in walk(document):
        data = transaction_in(value)
        if data is None:
            continue
        try:
            read = decompile(data, [tables[each] for each in tables_of(data) if each in tables])
        except ValueError:
            continue
        found.append(Whole(data, read, _putter(group, key)))
    return found


def _putter(group: Any, key: Any) -> Callable[[bytes], None]:
    def put(data: bytes) -> None:
        group[key] = b64encode(data).decode()

    return put


def transaction_in(value: Any) -> bytes | None:
    """Return the transaction that a text is in base64; None where it is none."""
    if not isinstance(value, str) or len(value) < _SHORTEST:
        return None
    try:
        data = b64decode(value, validate=True)
        VersionedTransaction.from_bytes(data)
    except (binascii.Error, ValueError):
        return None
    return data


def tables_of(transaction: bytes) -> tuple[str, ...]:
    """Return the addresses of the lookup tables that a transaction names."""
    signers = transaction[0]
    return lookup_tables_of(transaction[1 + 64 * signers :])


def pieces(document: Any, tables: Mapping[str, LookupTable]) -> list[Piece]:
    """Return all instructions of a document, by the lists that contain them."""
    found = [_piece_of(each, tables) for each in wholes(document, tables)]
    form = next((value for _, _, value in walk(document) if is_instruction(value)), None)
    for group, key, value in walk(document):
        if is_instruction(value) and isinstance(group, dict):
            found.append(Piece([read(value)], _one(group, key, value), grows=False))
        elif isinstance(value, list) and form is not None and _holds_instructions(key, value):
            found.append(Piece([read(each) for each in value], _many(group, key, form), grows=True))
    return found


def _holds_instructions(key: Any, value: list[Any]) -> bool:
    return all(map(is_instruction, value)) and (bool(value) or str(key).lower().endswith("instructions"))


def is_instruction(value: Any) -> bool:
    """Tell whether an object is an instruction."""
    return isinstance(value, dict) and "programId" in value and "data" in value


def read(written: Mapping[str, Any]) -> SvmInstruction:
    """Read an instruction's object."""
    roles = tuple(
        AccountRole(each["pubkey"], each["isSigner"], each["isWritable"])
        for each in written["keys" if "keys" in written else "accounts"]
    )
    data = bytes.fromhex(written["data"]) if "keys" in written else b64decode(written["data"])
    return SvmInstruction(written["programId"], roles, data)


def written(instruction: SvmInstruction, form: Mapping[str, Any]) -> dict[str, Any]:
    """Write an instruction as another is written."""
    roles = [
        {"pubkey": role.address, "isSigner": role.signer, "isWritable": role.writable} for role in instruction.accounts
    ]
    data = instruction.data.hex() if "keys" in form else b64encode(instruction.data).decode()
    return {"programId": instruction.program, "keys" if "keys" in form else "accounts": roles, "data": data}


def _one(group: Any, key: Any, form: Mapping[str, Any]) -> Callable[[Sequence[SvmInstruction]], None]:
    def write(instructions: Sequence[SvmInstruction]) -> None:
        if instructions:
            group[key] = written(instructions[0], form)

    return write


def _many(group: Any, key: Any, form: Mapping[str, Any]) -> Callable[[Sequence[SvmInstruction]], None]:
    def write(instructions: Sequence[SvmInstruction]) -> None:
        group[key] = [written(each, form) for each in instructions]

    return write


def _piece_of(whole: Whole, tables: Mapping[str, LookupTable]) -> Piece:
    named = [tables[each] for each in tables_of(whole.data) if each in tables]

    def write(instructions: Sequence[SvmInstruction]) -> None:
        whole.put(recompiled(whole.read.payer, instructions, named, whole.read.blockhash))

    return Piece(list(whole.read.instructions), write, grows=True)


def with_address(instruction: SvmInstruction, old: str, new: str) -> SvmInstruction:
    """Return an instruction that names another account in place of one."""
    roles = tuple(replace(role, address=new) if role.address == old else role for role in instruction.accounts)
    return replace(instruction, accounts=roles)


def recompiled(
    payer: str,
    instructions: Sequence[SvmInstruction],
    tables: Sequence[LookupTable],
    hash_: str,
    keys: Sequence[Keypair] = (),
) -> bytes:
    """Return the transaction of instructions, signed by ``keys`` alone; ValueError where there can be none."""
    try:
        message = compile_v0(payer, instructions, tables, hash_)
    except Unfit as error:
        raise ValueError(str(error)) from None
    parsed = VersionedTransaction.from_bytes(
        bytes([signer_count(message)]) + bytes(64 * signer_count(message)) + message
    )
    signers = [str(key) for key in parsed.message.account_keys[: signer_count(message)]]
    return serialise(message, signers, {str(key.pubkey()): bytes(key.sign_message(message)) for key in keys})
