"""The kinds of lies on Solana, and telling one: the same lie is the same alteration, by its seed."""

import json
import random
from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from attack.lies import REFUND, Lie
from attack.proxy import UpstreamAnswer
from attack.svm import alterations, beforehand, chosen, costs, documents, numbers
from attack.svm.alterations import Alteration
from attack.svm.facts import STRANGER, SvmFacts

PREFIX = "svm:"


def _together(rng: random.Random, document: Any, facts: SvmFacts) -> bool:
    done = [each(rng, document, facts) for each in rng.sample(_THEFTS, 2)]
    if rng.random() < 0.6:
        done.append(documents.promise(rng, document, facts))
    return any(done)


_THEFTS: tuple[Alteration, ...] = (
    alterations.add_instruction, alterations.exchange_account, alterations.exchange_friend,
    alterations.change_number, alterations.change_roles, documents.exchange_address, numbers.raise_fee,
    numbers.raise_to_largest,
)  # fmt: skip
ALTERATIONS: Mapping[str, Alteration] = MappingProxyType(
    {
        "add": alterations.add_instruction,
        "order": alterations.rearrange,
        "account": alterations.exchange_account,
        "friend": alterations.exchange_friend,
        "roles": alterations.change_roles,
        "program": alterations.exchange_program,
        "amount": alterations.change_number,
        "bytes": alterations.change_bytes,
        "fee": numbers.raise_fee,
        "largest": numbers.raise_to_largest,
        "table": documents.exchange_table,
        "whole": documents.alter_transaction,
        "header": documents.sign,
        "promise": documents.promise,
        "number": documents.other_number,
        "address": documents.exchange_address,
        "trap": beforehand.pay_the_trap,
        "budget": costs.raise_budget,
        "rent": costs.make_strangers_accounts,
        "sealed": costs.sign_beside,
        "chosen": chosen.lie_about_choices,
        "together": _together,
    }
)
SPLICE, CHAIN, TRAP, CHOSEN, GAS = "splice", "chain", "trap", "chosen", "gas"
KINDS = tuple(PREFIX + each for each in (*ALTERATIONS, SPLICE, CHAIN))
"""``chain``: the answer is honest, and its table holds other things on the chain.

``chosen``: the caller chose a priority, a tip and mostly a fee payer, who signs too. ``gas``: about native on arrival,
told only where some is wanted.

``trap``: what the answer pays is an account that the liar made for the receiver.
"""


def altered_answer(lie: Lie, original: UpstreamAnswer, facts: SvmFacts) -> Any | None:
    """Return the altered answer, None where this lie has nothing to alter in it."""
    rng = random.Random(f"{lie.kind} {lie.seed}")
    document, kind = deepcopy(original.document), lie.kind.removeprefix(PREFIX)
    if not isinstance(document, dict | list) or kind == CHAIN:
        return None
    try:
        if kind == SPLICE:
            done = documents.splice(rng, document, facts, original.path)
        elif kind == GAS:
            done = documents.other_native(rng, document, facts)
        elif kind == REFUND:
            named = facts.refunded if rng.random() < 0.5 else None
            done = named is not None and documents.replaced(document, named, STRANGER)
            done = done or documents.splice(rng, document, facts, original.path, REFUND)
        else:
            done = ALTERATIONS[kind](rng, document, facts)
    except ValueError:
        # What makes no transaction at all is no lie.
        return None
    return document if done and json.dumps(document) != json.dumps(original.document) else None
