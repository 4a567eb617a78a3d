"""Whatever a client sends, it gets an answer of JSON-RPC, and the chain goes on."""

from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solders.signature import Signature

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, furnish, token
from rhumbline.devnet.svm.programs import TOKEN
from rhumbline.devnet.svm.server import METHODS, answered, call
from tests.devnet.svm.set_up_chain import STARTED

ADDRESSES = [str(each) for each in (keypair(0).pubkey(), token("USDC").mint, TOKEN, POOL_PROGRAM)]
NAMES = [
    "commitment", "encoding", "filters", "memcmp", "dataSize", "offset", "bytes", "limit", "before", "until", "mint",
    "programId", "accounts", "addresses", "dataSlice", "length", "minContextSlot", "sigVerify", "skipPreflight",
    "replaceRecentBlockhash", "innerInstructions", "maxSupportedTransactionVersion", "withContext",
]  # fmt: skip
WORDS = [*ADDRESSES, str(Signature.default()), "finalized", "processed", "base64", "base58", "jsonParsed", "json", ""]
TRANSACTIONS = st.binary(max_size=300).map(lambda raw: b64encode(b"\x01" + bytes(64) + raw).decode())
PLAIN: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 2**65), st.sampled_from(WORDS), st.text(max_size=5), TRANSACTIONS
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)),
    max_leaves=6,
)
# These go on for as long as they are told to; another test has them.
QUIET = sorted(name for name in METHODS if not name.startswith("sandbox_"))


@pytest.fixture(scope="module")
def chain() -> SvmChain:
    made = SvmChain(STARTED)
    furnish(made)
    return made


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(QUIET), st.lists(ANYTHING, max_size=4))
def test_a_call_with_any_parameters_is_answered(chain: SvmChain, method: str, params: list[Any]) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = answered(request, lambda name, given_: call(chain, name, given_))
    assert ("result" in answer) != ("error" in answer)


@given(ANYTHING)
def test_a_request_of_any_form_is_answered(chain: SvmChain, request_: Any) -> None:
    answer = answered(request_, lambda name, given_: call(chain, name, given_))
    assert "error" in answer
