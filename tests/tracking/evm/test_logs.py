"""What the Diamond's logs tell, and what they cannot make us do."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.tracking import FeeSighting
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.deployment import artifact
from rhumbline.tracking.evm.logs import (
    BRIDGE_STARTED,
    FEE_PAID,
    SWAPPED,
    DecodedLogs,
    decode_logs,
    event_topics,
    read_fields,
    read_logs,
)
from tests.tracking.events import DEADLINE, DIAMOND, OTHER_TOKEN, RECEIVER, SENDER, TOKEN, Chain, address_topic, word

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
IDS = [bytes([n]) * 32 for n in (1, 2, 3)]


def decoded(chain: Chain) -> DecodedLogs:
    logs = read_logs(chain.logs)
    return decode_logs(900001, DIAMOND, logs, {log.block_hash: NOON for log in logs})


def canonical(parameter: Mapping[str, object]) -> str:
    kind = str(parameter["type"])
    components = parameter.get("components")
    if not kind.startswith("tuple") or not isinstance(components, Sequence):
        return kind
    return "(" + ",".join(canonical(part) for part in components) + ")" + kind.removeprefix("tuple")


def test_the_signatures_are_those_of_the_compiled_contract() -> None:
    events = {}
    for entry in artifact("Diamond").abi:
        inputs = entry.get("inputs")
        if entry["type"] == "event" and isinstance(inputs, Sequence):
            parts = ",".join(canonical(part) for part in inputs)
            events[entry["name"]] = f"{entry['name']}({parts})", sum(bool(part["indexed"]) for part in inputs)
    assert events["Swapped"] == (SWAPPED, 3)
    assert events["BridgeStarted"] == (BRIDGE_STARTED, 3)
    assert events["FeePaid"] == (FEE_PAID, 3)
    assert event_topics() == tuple("0x" + topic(name).hex() for name in (SWAPPED, BRIDGE_STARTED, FEE_PAID))


def test_every_field_is_read() -> None:
    chain = Chain()
    chain.fee(IDS[0], 7)
    chain.swap(IDS[0], 1000)
    (sighting,) = decoded(chain).sightings
    assert (sighting.chain_id, sighting.log_index, sighting.block_number) == (900001, 1, 1)
    assert sighting.tx_hash == chain.logs[1]["transactionHash"]
    assert sighting.block_hash == chain.logs[1]["blockHash"]
    assert sighting.block_time == NOON
    assert sighting.transaction_id == "0x" + IDS[0].hex()
    assert (sighting.sender, sighting.receiver) == (checksummed(SENDER), checksummed(RECEIVER))
    assert (sighting.integrator, sighting.adapter) == ("acme", "ONCHAIN")
    assert (sighting.input_token, sighting.input_amount, sighting.net_amount) == (checksummed(TOKEN), 1000, 999)
    assert (sighting.ordered_amount, sighting.min_output, sighting.deadline) == (1005, 1, DEADLINE)
    assert (sighting.output_token, sighting.output_amount) == (checksummed(OTHER_TOKEN), 2000)
    assert sighting.fees == (FeeSighting("integrator", checksummed(RECEIVER), checksummed(TOKEN), 7),)


def test_every_field_of_a_transfer_is_read() -> None:
    chain = Chain()
    chain.bridge(IDS[0])
    (sighting,) = decoded(chain).bridges
    assert (sighting.transaction_id, sighting.sender) == ("0x" + IDS[0].hex(), checksummed(SENDER))
    assert (sighting.integrator, sighting.adapter) == ("acme", "ACROSS")
    assert (sighting.receiver, sighting.destination_chain_id, sighting.output_token) == (word("x"), 10, word("y"))
    assert (sighting.input_token, sighting.ordered_amount, sighting.input_amount) == (checksummed(TOKEN), 1005, 1000)
    assert (sighting.sent_token, sighting.sent_amount) == (checksummed(TOKEN), 900)
    assert (sighting.expected_output, sighting.min_output, sighting.deadline) == (890, 880, DEADLINE)
    assert (sighting.refund_to, sighting.swapped, sighting.has_destination_call) == (checksummed(SENDER), False, True)
    assert sighting.reference == word("z")


CALLS = st.lists(
    st.tuples(
        st.sampled_from(["swap", "bridge"]),
        st.sampled_from(IDS),
        st.lists(st.integers(1, 2**256 - 1), max_size=3),
        st.booleans(),
    ),
    max_size=12,
)


@given(CALLS)
def test_each_swap_has_the_fees_of_its_own_call(calls: list[tuple[str, bytes, list[int], bool]]) -> None:
    """Any number of calls in a transaction, with the same ID or others."""
    chain, expected = Chain(), []
    for kind, identifier, fees, new_transaction in calls:
        if new_transaction:
            chain.next_transaction()
        for amount in fees:
            chain.fee(identifier, amount)
        if kind == "swap":
            chain.swap(identifier)
            expected.append(("0x" + identifier.hex(), fees))
        else:
            chain.bridge(identifier)
    found = decoded(chain)
    assert [(s.transaction_id, [fee.amount for fee in s.fees]) for s in found.sightings] == expected
    assert not found.skipped


@given(
    st.lists(st.one_of(st.binary(max_size=40), st.binary(min_size=32, max_size=32)), max_size=4),
    st.one_of(st.binary(max_size=400), st.binary(min_size=256, max_size=256)),
    st.sampled_from([SWAPPED, BRIDGE_STARTED, FEE_PAID, "Other()"]),
)
def test_garbage_is_skipped_and_spoils_nothing_else(topics: list[bytes], data: bytes, event: str) -> None:
    chain = Chain()
    chain.fee(IDS[0], 5)
    chain.swap(IDS[0])
    chain.add([topic(event), *topics], data)
    chain.next_transaction()
    chain.fee(IDS[1], 6)
    chain.swap(IDS[1])
    found = decoded(chain).sightings
    assert found[0].transaction_id == "0x" + IDS[0].hex()
    assert found[-1].transaction_id == "0x" + IDS[1].hex()
    assert [[fee.amount for fee in s.fees] for s in (found[0], found[-1])] == [[5], [6]]


TYPES = tuple(BRIDGE_STARTED.rsplit("(", 1)[1].strip(")").split(","))
BITS = {"address": 160, "bool": 1, "uint256": 256, "bytes32": 256}


@given(
    st.tuples(*(st.integers(0, 2 ** BITS[kind] - 1) for kind in TYPES)),
    st.dictionaries(st.integers(0, len(TYPES) - 1), st.integers(0, 2**256 - 1), max_size=1),
    st.integers(-40, 40),
)
def test_fields_are_read_as_eth_abi_reads_them(fields: tuple[int, ...], odd: dict[int, int], longer: int) -> None:
    """The same values, and the same data refused: too short, addresses of more than 20 bytes, booleans beyond 1."""
    words = b"".join(odd.get(place, field).to_bytes(32) for place, field in enumerate(fields))
    data = words[:longer] if longer < 0 else words + b"x" * longer
    try:
        expected = decode_args(TYPES, data)
    except MalformedAnswer:
        with pytest.raises(MalformedAnswer):
            read_fields(TYPES, data)
    else:
        assert read_fields(TYPES, data) == expected


@pytest.mark.parametrize("name", [b"\xff", "naïve".encode(), b"a\0b", b"two words", b"\x7f", b"\n"])
def test_names_that_are_no_names_are_skipped(name: bytes) -> None:
    chain = Chain()
    chain.swap(IDS[0], integrator=name)
    chain.next_transaction()
    chain.swap(IDS[1], adapter=name)
    found = decoded(chain)
    assert found.sightings == ()
    assert [skipped.reason for skipped in found.skipped] == [
        "the field integrator is not printable ASCII",
        "the field adapter is not printable ASCII",
    ]


def test_a_fee_that_cannot_be_read_leaves_the_swap() -> None:
    chain = Chain()
    chain.fee(IDS[0], 1, kind=b"\xff")
    chain.fee(IDS[0], 2)
    chain.swap(IDS[0])
    found = decoded(chain)
    assert [fee.amount for fee in found.sightings[0].fees] == [2]
    assert len(found.skipped) == 1


def test_a_full_name_has_no_padding_and_an_empty_one_is_empty() -> None:
    chain = Chain()
    chain.swap(IDS[0], integrator="a" * 32)
    chain.swap(IDS[1], integrator="")
    assert [s.integrator for s in decoded(chain).sightings] == ["a" * 32, ""]


def test_other_contracts_do_not_count() -> None:
    chain = Chain()
    chain.swap(IDS[0], address="0x" + "66" * 20)
    found = decoded(chain)
    assert found.sightings == ()
    assert found.skipped[0].reason == "the log is another contract's"


def test_an_address_with_dirt_is_skipped() -> None:
    chain = Chain()
    chain.swap(IDS[0])
    dirty = b"\1" + address_topic(SENDER)[1:]
    chain.logs[0]["topics"] = ["0x" + item.hex() for item in (topic(SWAPPED), IDS[0], dirty, word("acme"))]
    assert decoded(chain).sightings == ()


def test_logs_come_in_the_order_of_the_chain() -> None:
    chain = Chain()
    chain.fee(IDS[0], 3)
    chain.swap(IDS[0])
    chain.logs.reverse()
    assert [fee.amount for fee in decoded(chain).sightings[0].fees] == [3]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("blockNumber", None),
        ("blockHash", "0x12"),
        ("transactionHash", 5),
        ("logIndex", "five"),
        ("topics", None),
        ("data", "0xzz"),
        ("removed", True),
    ],
)
def test_what_every_node_gives_must_be_there(field: str, value: object) -> None:
    """Else the answer counts as none, and is asked for again: a swap must not be lost over it."""
    chain = Chain()
    chain.swap(IDS[0])
    chain.logs[0][field] = value
    with pytest.raises(NodeUnavailable):
        read_logs(chain.logs)


@pytest.mark.parametrize("answer", [None, {}, "0x", [None], ["0x"]])
def test_an_answer_of_another_kind_counts_as_none(answer: object) -> None:
    with pytest.raises(NodeUnavailable):
        read_logs(answer)


def test_a_fee_of_another_transaction_is_not_a_swaps() -> None:
    chain = Chain()
    chain.fee(IDS[0], 3)
    chain.next_transaction()
    chain.swap(IDS[0])
    assert decoded(chain).sightings[0].fees == ()
