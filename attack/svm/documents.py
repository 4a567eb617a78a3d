"""Alterations beside the instructions: lookup tables, whole transactions, promises, addresses, answers."""

import random
import re
from decimal import Decimal
from typing import Any

from attack.svm.alterations import FACTORS
from attack.svm.facts import STRANGER, SvmFacts, false_table
from attack.svm.written import pieces, recompiled, tables_of, walk, wholes
from rhumbline.gateways.svm.address import decode_address, is_address

EVM_STRANGER = "0x00000000000000000000000000000000005712A9"
_NUMBER = re.compile(r"[0-9]{1,25}(\.[0-9]{1,30})?\Z")
_OUTPUTS = re.compile(r"out|receiv|expect|price|amount", re.IGNORECASE)
_NATIVES = re.compile(r"gas_?drop|topup", re.IGNORECASE)
_EVM = re.compile(r"0x[0-9a-fA-F]{40}\Z")
_PADDED = re.compile(r"0x0{24}[0-9a-fA-F]{40}\Z")


def exchange_table(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Name another table for the same, or claim that other things lie in it."""
    if not facts.tables:
        return False
    table = rng.choice(sorted(facts.tables))
    if rng.random() < 0.3 and _claim_otherwise(rng, document):
        return True
    changed = False
    for whole in wholes(document, facts.tables):
        if table in tables_of(whole.data):
            whole.put(whole.data.replace(decode_address(table), decode_address(false_table(table))))
            changed = True
    return replaced(document, table, false_table(table)) or changed


def _claim_otherwise(rng: random.Random, document: Any) -> bool:
    for group, key, value in walk(document):
        if (
            isinstance(value, list)
            and len(value) > 4
            and all(isinstance(each, str) and is_address(each) for each in value)
        ):
            group[key] = rng.sample(value, len(value))
            return True
        if isinstance(value, dict) and len(value) > 4 and all(str(each).isdigit() for each in value):
            group[key] = dict(zip(value, rng.sample(list(value.values()), len(value)), strict=True))
            return True
    return False


def alter_transaction(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Let another wallet pay for a whole transaction, use another blockhash, sign it wrongly, or corrupt its bytes."""
    found = wholes(document, facts.tables)
    if not found:
        return False
    whole = rng.choice(found)
    data, how = bytearray(whole.data), rng.randrange(5)
    named = [facts.tables[each] for each in tables_of(whole.data) if each in facts.tables]
    if how == 0:
        whole.put(recompiled(STRANGER, whole.read.instructions, named, whole.read.blockhash))
    elif how == 1:
        whole.put(recompiled(whole.read.payer, whole.read.instructions, named, STRANGER))
    elif how == 2:
        data[1:65] = rng.randbytes(64)
        whole.put(bytes(data))
    elif how == 3:
        # Behind the signatures, where the message is.
        data[rng.randrange(1 + 64 * data[0], len(data))] ^= 1 << rng.randrange(8)
        whole.put(bytes(data))
    else:
        whole.put(bytes(data) + rng.randbytes(rng.choice([1, 32])))
    return True


def promise(rng: random.Random, document: Any, _: SvmFacts) -> bool:
    """Promise more or less than there is, in one field or all of one name."""
    fields = [(group, key) for group, key, value in numbers(document) if _OUTPUTS.search(str(key))]
    return _scale(rng, fields)


def other_number(rng: random.Random, document: Any, _: SvmFacts) -> bool:
    """Change any number."""
    return _scale(rng, [(group, key) for group, key, _ in numbers(document)])


def other_native(rng: random.Random, document: Any, _: SvmFacts) -> bool:
    """Promise other native on arrival than was asked for, in words: the order beside them stays as it is."""
    named = [(group, key) for group, key, _ in numbers(document) if _NATIVES.search(str(key))]
    for _, key, value in walk(document):
        if isinstance(value, dict) and _NATIVES.search(str(key)):
            named += [(group, name) for group, name, _ in numbers(value)]
    return _scale(rng, named)


def numbers(document: Any) -> list[tuple[Any, Any, Any]]:
    return [
        (group, key, value)
        for group, key, value in walk(document)
        if (isinstance(value, int | float) and not isinstance(value, bool))
        or (isinstance(value, str) and _NUMBER.match(value))
    ]


def _scale(rng: random.Random, fields: list[tuple[Any, Any]]) -> bool:
    if not fields:
        return False
    group, key = rng.choice(fields)
    up, down = rng.choice(FACTORS)
    for each, name in fields if rng.random() < 0.3 else [(group, key)]:
        if name == key:
            each[name] = _scaled(each[name], up, down)
    return True


def _scaled(value: Any, up: int, down: int) -> Any:
    if isinstance(value, int):
        return value * up // down
    if isinstance(value, float):
        return value * up / down
    if "." in value:
        return format(Decimal(value) * up / down, "f")
    return str(int(value) * up // down)


def exchange_address(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Put the stranger in place of an address of any chain, wherever it is."""
    found = sorted({value for _, _, value in walk(document) if isinstance(value, str) and _is_address(value)})
    if not found:
        return False
    old = rng.choice(found)
    new = EVM_STRANGER if _EVM.match(old) else rng.choice([*facts.likely(), *facts.likely(), *facts.own()])
    if _PADDED.match(old):
        new = "0x" + "0" * 24 + EVM_STRANGER[2:]
    return replaced(document, old, new)


def _is_address(text: str) -> bool:
    return is_address(text) or bool(_EVM.match(text)) or bool(_PADDED.match(text))


def replaced(document: Any, old: str, new: str) -> bool:
    changed = False
    for group, key, value in walk(document):
        if value == old:
            group[key], changed = new, True
        elif key == old:
            group[new] = group.pop(old)
            changed = True
    return changed


def splice(rng: random.Random, document: Any, facts: SvmFacts, path: str, only: str | None = None) -> bool:
    """Answer with parts of the answer to another question: all of it, some fields, or the instructions alone.

    ``only`` names the one question, None: any.
    """
    recorded = (answers for name, answers in facts.others.items() if only in (None, name))
    answers = [each.document for every in recorded for each in every if each.path == path]
    if not answers or not isinstance(document, dict):
        return False
    other = rng.choice(answers)
    if not isinstance(other, dict):
        return False
    how = rng.randrange(3) if only is None else 0
    if how == 0:
        document.clear()
        document.update(other)
        return True
    if how == 1:
        names = sorted(document.keys() & other.keys())
        for name in rng.sample(names, rng.randint(1, len(names))):
            document[name] = other[name]
        return True
    return _splice_instructions(document, other, facts)


def _splice_instructions(document: Any, other: Any, facts: SvmFacts) -> bool:
    mine, theirs = wholes(document, facts.tables), wholes(other, facts.tables)
    if mine and theirs:
        mine[0].put(theirs[0].data)
        return True
    pairs = list(zip(pieces(document, facts.tables), pieces(other, facts.tables), strict=False))
    for own, new in pairs:
        own.write(new.instructions)
    return bool(pairs)


def sign(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    """Put a signature that is none beside the wallet's place, or say that fewer must sign."""
    found = wholes(document, facts.tables)
    if not found:
        return False
    whole = rng.choice(found)
    data = bytearray(whole.data)
    # The message's header: how many sign, and how many of those and of the others are not written.
    data[1 + 64 * data[0] + rng.randint(1, 3)] ^= 1 << rng.randrange(3)
    whole.put(bytes(data))
    return True
