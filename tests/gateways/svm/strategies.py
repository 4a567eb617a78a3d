"""Instructions, tables and addresses as a search tries them; from few keys, so that they meet."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.messages import merged

KEYS = tuple(encode_address(bytes([i] * 31 + [i ^ 0x55])) for i in range(1, 40))
TABLE_KEYS = tuple(encode_address(bytes([200 + i] * 32)) for i in range(3))

addresses = st.sampled_from(KEYS)
programs = st.sampled_from(KEYS[:30])
# No program is the payer.
payers = st.sampled_from(KEYS[30:])
blockhashes = st.binary(min_size=32, max_size=32).map(encode_address)
roles = st.builds(AccountRole, addresses, st.booleans(), st.booleans())
instructions = st.builds(SvmInstruction, programs, st.lists(roles, max_size=12).map(tuple), st.binary(max_size=200))
# With holes: of some tables only what a route refers to is told.
entries = st.dictionaries(st.integers(0, 255), addresses, max_size=30)
tables = st.lists(st.sampled_from(TABLE_KEYS), unique=True, max_size=3).flatmap(
    lambda keys: st.tuples(*(st.builds(LookupTable, st.just(key), entries) for key in keys))
)


def in_message(payer: str, listed: Sequence[SvmInstruction]) -> tuple[SvmInstruction, ...]:
    """Return the instructions as they are in a message: each account with the role that it has there."""
    roles = merged(payer, listed)
    return tuple(replace(each, accounts=tuple(roles[role.address] for role in each.accounts)) for each in listed)
