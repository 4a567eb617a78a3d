"""Any query can be read."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.parameters.lists import CHAIN_TYPES
from rhumbline.api.parameters.parameter import CHAIN_ID, Amount, Text
from rhumbline.api.parameters.source import query_source
from tests.api.parameters.test_parameter import FEE, fault_of


@given(st.binary(max_size=200))
def test_any_query_can_be_read(query: bytes) -> None:
    for values in query_source(query).values():
        for value in values:
            for rule in (Amount(), FEE, CHAIN_ID, CHAIN_TYPES, Text()):
                assert not value or fault_of(partial(rule.read, value)).isprintable()
