"""What a token and a wallet can use, of whatever a node answers."""

from dataclasses import dataclass, replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.evm.signatures import encode_typed_data
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.routing.evm.permit_call import TokenDomain
from rhumbline.routing.evm.permit_support import PermitSupport, read_support

CHAIN = 10
TOKEN, OWNER, OTHER = ("0x" + digit * 40 for digit in "abc")
Answers = tuple[bytes | None, ...]


@dataclass(frozen=True)
class Node:
    """Answers eight reads of one block, and the owner's code."""

    answers: Answers
    code: str = "0x"
    name: str = "node"

    async def eth_call(self, to: str, data: bytes, block: str = "latest") -> bytes:
        results = [(each is not None, each or b"") for each in self.answers]
        return encode_args(("uint256", "bytes32", "(bool,bytes)[]"), (1, bytes(32), results))

    async def call(self, method: str, params: list[object]) -> object:
        return self.code


async def read(node: Node) -> PermitSupport:
    return await read_support(cast(EvmRpc, node), CHAIN, TOKEN, OWNER, OTHER)


def text(value: str) -> bytes:
    return encode_args(("string",), (value,))


def described(name: str, version: str, flags: bytes = b"\x0f", extensions: tuple[int, ...] = ()) -> bytes:
    types = ("bytes1", "string", "string", "uint256", "address", "bytes32", "uint256[]")
    return encode_args(types, (flags, name, version, CHAIN, TOKEN, bytes(32), extensions))


def hashed(**domain: object) -> bytes:
    """The hash of a domain, as eth-account makes it."""
    kinds = {"name": "string", "version": "string", "chainId": "uint256", "verifyingContract": "address"}
    members = [{"name": name, "type": kinds[name]} for name in domain]
    types = {"EIP712Domain": members, "Any": [{"name": "any", "type": "bool"}]}
    whole = {"types": types, "primaryType": "Any", "domain": domain, "message": {"any": True}}
    return bytes(encode_typed_data(full_message=whole).header)


def separator(name: str, version: str, chain_id: int = CHAIN, token: str = TOKEN) -> bytes:
    return hashed(name=name, version=version, chainId=chain_id, verifyingContract=token)


WORD = (7).to_bytes(32)
HONEST: Answers = (separator("Coin", "2"), None, text("Coin"), text("2"), WORD, bytes(32), WORD, None)


async def test_a_domain_is_what_the_separator_confirms() -> None:
    assert await read(Node(HONEST)) == PermitSupport(TokenDomain("Coin", "2"), 7, 0, 0, plain_wallet=True)
    guessed = (separator("Coin", "1"), None, text("Coin"), None, *HONEST[4:])
    assert (await read(Node(guessed))).domain == TokenDomain("Coin", "1")
    told = (separator("Other", "3"), described("Other", "3"), *HONEST[2:])
    assert (await read(Node(told))).domain == TokenDomain("Other", "3")
    assert not (await read(Node(HONEST, code="0xef0100"))).plain_wallet


@pytest.mark.parametrize(
    "changed",
    [
        {0: None},
        {0: bytes(32)},
        {0: separator("Coin", "2", chain_id=1)},
        {0: separator("Coin", "2", token=OTHER)},
        {1: described("Coin", "2", flags=b"\x1f")},
        {1: described("Coin", "2", extensions=(1,))},
        {2: text("Coin" * 40), 0: separator("Coin" * 40, "2")},
        {2: None},
        {4: None},
        {5: b"\x01"},
    ],
)
async def test_anything_else_is_no_permit(changed: dict[int, bytes | None]) -> None:
    answers = tuple(changed.get(place, answer) for place, answer in enumerate(HONEST))
    assert (await read(Node(answers))).domain is None


async def test_permit2_counts_where_it_is_this_chains() -> None:
    place = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
    own, other = (hashed(name="Permit2", chainId=chain, verifyingContract=place) for chain in (CHAIN, 1))
    assert (await read(Node((*HONEST[:7], own)))).permit2_allowance == 7
    assert (await read(Node((*HONEST[:7], other)))).permit2_allowance == 0
    assert (await read(replace(Node((*HONEST[:6], None, own))))).permit2_allowance == 0


@given(st.lists(st.none() | st.binary(max_size=300) | st.just(WORD), min_size=8, max_size=8))
async def test_no_answer_breaks_it(answers: list[bytes | None]) -> None:
    found = await read(Node(tuple(answers)))
    assert found.domain is None
    assert found.permit2_allowance == 0
