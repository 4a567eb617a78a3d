"""IDs of events serve whom they were made for."""

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.tracking.record_events.event_id import open_event_id, seal_event_id

NEW, OLD = b"n" * 32, b"o" * 32


@given(st.integers(0, 2**63 - 1), st.text(max_size=50))
def test_an_id_is_read_back_by_its_integrator_alone(number: int, integrator: str) -> None:
    sealed = seal_event_id(OLD, integrator, number)
    assert open_event_id((NEW, OLD), integrator, sealed) == number
    assert open_event_id((NEW,), integrator, sealed) is None
    assert open_event_id((NEW, OLD), integrator + "x", sealed) is None


@given(st.text(max_size=60))
def test_any_text_is_refused(text: str) -> None:
    assert open_event_id((NEW,), "acme", text) is None
