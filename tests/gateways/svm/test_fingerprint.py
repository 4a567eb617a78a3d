"""A transaction is known again by what wallets do not change."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.fingerprint import SIZE, find_parts, fingerprint, parts_of, sealed_fingerprint
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE
from rhumbline.gateways.svm.messages import compile_v0
from tests.gateways.svm.strategies import KEYS, instructions
from tests.gateways.svm.test_tracking_instruction import OTHER, SENDER, SWAP, TRACKING, sent


def test_what_wallets_change_does_not_count() -> None:
    """Nor does a payer who sponsors the fee, and raises no role of what is there."""
    issued = fingerprint([SWAP, TRACKING])
    budget = ComputeBudget(units=1, micro_lamports=2).instructions()
    guard = SvmInstruction(LIGHTHOUSE, (AccountRole(OTHER),), b"\x05")
    assert fingerprint(sent(*budget, SWAP, guard, TRACKING, guard)) == issued
    assert fingerprint(sent(SWAP, TRACKING, payer=KEYS[4], blockhash=KEYS[5])) == issued


@given(st.lists(instructions, max_size=4), st.lists(instructions, max_size=4))
def test_others_have_another(one: list[SvmInstruction], other: list[SvmInstruction]) -> None:
    def told(calls: list[SvmInstruction]) -> list[tuple[str, list[str], bytes]]:
        return [(each.program, [role.address for role in each.accounts], each.data) for each in calls]

    assert (fingerprint(one) == fingerprint(other)) is (told(one) == told(other))


def test_a_sealed_message_is_known_as_it_is() -> None:
    """And told from all others by the length of what stands for it."""
    message, later = (compile_v0(SENDER, [SWAP], [], blockhash) for blockhash in KEYS[:2])
    assert sealed_fingerprint(message) != sealed_fingerprint(later)
    assert len(sealed_fingerprint(message)) > len(fingerprint([SWAP])) == SIZE


@given(st.lists(instructions, min_size=1, max_size=4), st.lists(st.tuples(st.integers(0, 8), instructions), max_size=4))
def test_what_was_handed_out_is_found_among_what_was_added(
    issued: list[SvmInstruction], added: list[tuple[int, SvmInstruction]]
) -> None:
    sent_at_last = list(issued)
    for place, each in added:
        sent_at_last.insert(place, each)
    places = find_parts(sent_at_last, parts_of(issued))
    assert places is not None
    assert [spelt(sent_at_last[place]) for place in sorted(places)] == [spelt(each) for each in issued]


@given(st.lists(instructions, min_size=1, max_size=4, unique_by=lambda each: str(spelt(each))), st.data())
def test_without_one_of_its_instructions_it_is_not_found(issued: list[SvmInstruction], data: st.DataObject) -> None:
    gone = data.draw(st.integers(0, len(issued) - 1))
    fewer = issued[:gone] + issued[gone + 1 :]
    assert find_parts([*fewer, *fewer], parts_of(issued)) is None
    turned = issued[::-1]
    assert (find_parts(turned, parts_of(issued)) is None) is (len(issued) > 1)


def test_nothing_is_found_by_no_parts() -> None:
    assert find_parts([SWAP, TRACKING], b"") is None


def spelt(call: SvmInstruction) -> tuple[str, list[str], bytes]:
    return call.program, [role.address for role in call.accounts], call.data
