"""A genuine order, whole: it is read to the last byte, and refused for the sponsor that it was asked with.

``recordings/order_sponsored.json`` is what DFlow answered on 2026-08-22 on its keyless development host to an order of
SOL for USDC, with a sponsor and another receiver; the repository tantshirt/MYTAB published it (commit 17bab64), with a
signature of DFlow's over it that holds.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rhumbline.adapters.dflow.actions import Form, Swap, read_swap
from rhumbline.adapters.dflow.checking import Expected, check_message
from rhumbline.adapters.dflow.wire import Order
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.svm import LookupTable, SvmInstruction
from rhumbline.gateways.svm.decompiler import Decompiled, decompile, decompile_message
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from tests.adapters.dflow.orders import REQUEST, SOL, USDC
from tests.adapters.dflow.stub_upstream import StubUpstream
from tests.adapters.exchanges.recorded import recording
from tests.adapters.svm_accounts import table

SAID = recording(Path(__file__).parent, "order_sponsored.json")
TABLES = [
    LookupTable(each["address"], {int(place): address for place, address in each["addresses"].items()})
    for each in SAID["addressLookupTables"]
]
PROGRAM = "DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH"
USER, SPONSOR = "4UUtXamd5KkeUSWS5K8y1wo8ZbcpDPZ5uUfPWNeVec7t", "E6KUe4MWaqW8nXSnPrdYtY5YhrPJphaMajBfxgjs9PZs"
RECEIVER = "CE1GjV4unMmFcRYMDYLnY3ZTTC5fQ7JfhoVain7uHTz3"
AMOUNT = 100_000_000
ASKED = replace(
    REQUEST, origin_token=SOL, destination_token=USDC, amount=AMOUNT, sender=USER, taker=USER, receiver=RECEIVER,
    payout_address=RECEIVER,
)  # fmt: skip
WANTED = Expected(ASKED, PROGRAM, (WRAPPED_SOL, USDC.address), (SPL, SPL))


def message() -> Decompiled:
    return decompile(Order.model_validate(SAID).transaction, TABLES)


def unsponsored() -> Decompiled:
    """The same without the sponsor's part in it: the action, and the account that it signs with."""
    read = message()
    *budget, swap = read.instructions
    data = swap.data.replace(bytes([50, 51]), bytes([51]), 1)
    data = data[:8] + (3).to_bytes(4, "little") + data[12:]
    roles = tuple(role for role in swap.accounts if role.address != SPONSOR)
    made: list[SvmInstruction] = [*budget, replace(swap, data=data, accounts=roles)]
    return decompile_message(compile_v0(USER, made, TABLES, read.blockhash), TABLES)


def test_the_instruction_is_read_to_its_last_byte() -> None:
    *budget, swap = message().instructions
    assert len(budget) == 2
    read = read_swap(swap.data)
    assert read == Swap(Form.TO_ACCOUNT, (AMOUNT,), (AMOUNT,), 0, True, 9_273_498, 20, 0)
    assert int(SAID["minOutAmount"]) - read.minimum == 1, "the program rounds up, we down"


def test_its_accounts_are_where_they_are_looked_for() -> None:
    checked = check_message(message(), WANTED)
    assert [each.program for each in checked.instructions] == [PROGRAM]


@pytest.mark.parametrize("changes", [{"amount": AMOUNT - 1}, {"payout_address": USER}, {"origin_token": USDC}])
def test_another_question_is_not_answered_by_it(changes: dict[str, Any]) -> None:
    with pytest.raises(UpstreamFailed):
        check_message(message(), replace(WANTED, request=replace(ASKED, **changes)))


def test_without_a_sponsor_it_is_what_was_asked_for() -> None:
    read = unsponsored()
    assert read.missing == (USER,)
    assert not check_message(read, WANTED).swap.sponsored


async def test_a_sponsor_that_has_not_signed_is_refused(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/order", SAID)
    stub_upstream.node.accounts |= {each.address: table(each.entries) for each in TABLES}
    quote = await stub_upstream.adapter.quote(replace(ASKED, slippage=REQUEST.slippage * 20 / 50))
    assert (quote.output_amount, quote.min_output_amount) == (9_273_498, 9_254_951)
    with pytest.raises(UpstreamFailed, match="somebody else has yet to sign"):
        await stub_upstream.adapter.build(quote)
