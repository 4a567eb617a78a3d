"""Names on a chain with the ID of Ethereum: what they mean, and everything that is refused in words."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from rhumbline.domain.errors import InvalidRequest, NodeUnavailable, NotFound
from rhumbline.gateways.nodes.evm.ens import UNIVERSAL_RESOLVER, EnsNames, dns_encoded, labels_of, namehash
from tests.ens_chain import ETHER_COIN, EVM_COINS, EnsChain, ens_chain

ALICE = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
ELSEWHERE = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
BASE = 8453
ADDRESS = bytes(12) + bytes.fromhex(ALICE[2:])


@pytest.fixture(scope="module")
async def chain(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EnsChain]:
    async with ens_chain(Path(tmp_path_factory.mktemp("names"))) as running:
        yield running


@pytest.fixture
def names(chain: EnsChain) -> EnsNames:
    return EnsNames(chain.rpc)


async def refused(names: EnsNames, name: str, chain_id: int = 1) -> str:
    with pytest.raises(NotFound) as raised:
        await names.address(name, chain_id)
    return raised.value.message


def test_nodes_and_dns_are_those_of_the_standard() -> None:
    """The vector is EIP-137's."""
    node = "de9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f"
    assert namehash(labels_of("foo.eth")).hex() == node
    assert namehash(()) == bytes(32)
    assert dns_encoded(("foo", "eth")) == b"\x03foo\x03eth\x00"


async def test_a_name_means_its_address(names: EnsNames, chain: EnsChain) -> None:
    for name in ("alice.eth", "pay.alice.eth", "é-👍🏽.eth", "a" * 200 + ".eth"):
        await chain.name(name, ALICE)
        assert await names.address(name, 1) == ALICE
    await chain.name("alice.eth", ELSEWHERE)
    assert await names.address("alice.eth", 1) == ELSEWHERE


async def test_another_chain_has_its_own_address(names: EnsNames, chain: EnsChain) -> None:
    await chain.name("bob.eth", ALICE)
    assert await names.address("bob.eth", BASE) == ALICE, "a plain account has its key everywhere"
    await chain.name("bob.eth", ELSEWHERE, BASE)
    assert await names.address("bob.eth", BASE) == ELSEWHERE
    assert await names.address("bob.eth", 10) == ALICE
    assert await names.address("bob.eth", 11_297_108_109) == ALICE, "beyond all coin types"


async def test_a_name_of_another_chain_alone_is_good_there(names: EnsNames, chain: EnsChain) -> None:
    await chain.name("base-only.eth", ELSEWHERE, BASE)
    assert await names.address("base-only.eth", BASE) == ELSEWHERE
    assert await refused(names, "base-only.eth") == "This name names no address"


async def test_a_contract_of_ethereum_is_not_paid_elsewhere(names: EnsNames, chain: EnsChain) -> None:
    await chain.name("safe.eth", chain.resolver)
    assert await names.address("safe.eth", 1) == chain.resolver
    assert "stands for a contract on Ethereum" in await refused(names, "safe.eth", BASE)


@pytest.mark.parametrize(("code", "plain"), [("0xef0100" + "11" * 20, True), ("0x6001" + "00" * 21, False)])
async def test_a_delegated_account_keeps_its_key(names: EnsNames, chain: EnsChain, code: str, plain: bool) -> None:
    account = "0x" + ("e7" if plain else "e8") * 20
    await chain.rpc.call("anvil_setCode", [account, code])
    await chain.name("delegated.eth", account)
    if plain:
        assert (await names.address("delegated.eth", BASE)).lower() == account
    else:
        assert "contract" in await refused(names, "delegated.eth", BASE)


async def test_an_old_resolver_knows_ethereum_only(names: EnsNames, chain: EnsChain) -> None:
    await chain.resolved_by("old.eth", await chain.deploy("OldResolver", ("address",), ALICE))
    assert await names.address("old.eth", 1) == ALICE
    assert await names.address("old.eth", BASE) == ALICE


async def test_what_names_nobody_is_refused(names: EnsNames, chain: EnsChain) -> None:
    assert await refused(names, "nobody.eth") == "There is no such name, or it names no address"
    await chain.name("zero.eth", "0x" + "00" * 20)
    assert await refused(names, "zero.eth") == "This name names no address"
    await chain.name_bytes("zero.eth", EVM_COINS | BASE, bytes(20))
    assert await refused(names, "zero.eth", BASE) == "This name names no address"
    await chain.resolved_by("no-code.eth", ALICE)
    assert await refused(names, "no-code.eth") == "This name's resolver refuses to answer"


@pytest.mark.parametrize("chain_id", [1, BASE])
async def test_what_is_kept_elsewhere_is_refused_in_words(names: EnsNames, chain: EnsChain, chain_id: int) -> None:
    await chain.resolved_by("offchain.eth", await chain.deploy("OffchainResolver"))
    assert "outside Ethereum (CCIP Read)" in await refused(names, "offchain.eth", chain_id)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "This name names no address"),
        (ADDRESS[:31], "is no address"),
        (ADDRESS + b"\0", "is no address"),
        (b"\1" + ADDRESS[1:], "is no address"),
        (b"\xff" * 32, "is no address"),
        (b"\xff" * 100_000, "is no address"),
    ],
    ids=["empty", "short", "long", "dirty", "all-ones", "huge"],
)
async def test_a_hostile_answer_is_no_address(names: EnsNames, chain: EnsChain, answer: bytes, words: str) -> None:
    hostile = await chain.deploy("HostileResolver", ("bytes", "bool"), answer[:4096], False)
    await chain.resolved_by("hostile.eth", hostile)
    assert words in await refused(names, "hostile.eth")


@pytest.mark.parametrize(
    "answer",
    [ADDRESS, b"\xff" * 64, bytes(31) + b"\x20" + bytes(31) + b"\x13" + b"\1" * 32],
    ids=["address", "all-ones", "nineteen-bytes"],
)
async def test_a_hostile_answer_for_another_chain_is_no_address(
    names: EnsNames, chain: EnsChain, answer: bytes
) -> None:
    """Nor is that of Ethereum taken then."""
    await chain.resolved_by("hostile.eth", await chain.deploy("HostileResolver", ("bytes", "bool"), answer, False))
    assert "is no address" in await refused(names, "hostile.eth", BASE)


@pytest.mark.parametrize("said", [b"", b"\x08\xc3\x79\xa0" + b"\xff" * 64, b"\xde\xad"], ids=["silent", "text", "odd"])
async def test_a_resolver_that_reverts_is_refused(names: EnsNames, chain: EnsChain, said: bytes) -> None:
    await chain.resolved_by("reverts.eth", await chain.deploy("HostileResolver", ("bytes", "bool"), said, True))
    for chain_id in (1, BASE):
        assert await refused(names, "reverts.eth", chain_id) == "This name's resolver refuses to answer"


async def test_a_resolver_without_end_is_refused(names: EnsNames, chain: EnsChain) -> None:
    await chain.resolved_by("endless.eth", await chain.deploy("EndlessResolver"))
    assert await refused(names, "endless.eth") == "This name's resolver refuses to answer"


@pytest.mark.parametrize("length", [0, 1, 19, 21, 32])
async def test_only_twenty_bytes_are_an_address_elsewhere(names: EnsNames, chain: EnsChain, length: int) -> None:
    await chain.name_bytes("bytes.eth", EVM_COINS | BASE, b"\1" * length)
    await chain.name_bytes("bytes.eth", ETHER_COIN, bytes.fromhex(ALICE[2:]))
    if length:
        assert "is no address" in await refused(names, "bytes.eth", BASE)
    else:
        assert await names.address("bytes.eth", BASE) == ALICE


@pytest.mark.parametrize(
    "name",
    ["", "eth", ".eth", "a..eth", "a.eth.", "Alice.eth", "a b.eth", "a\0.eth", "[" + "0" * 64 + "].eth", "a/b.eth",
     "a" * 252 + ".eth", "é" * 126 + ".eth", "\ud800.eth"],
)  # fmt: skip
async def test_what_is_no_normalised_name_is_not_looked_up(name: str) -> None:
    with pytest.raises(InvalidRequest, match="Invalid request") as raised:
        labels_of(name)
    assert raised.value.faults == ("name: must be a normalised ENS name of at most 255 bytes, such as name.eth",)


async def test_a_node_of_another_chain_is_not_believed(tmp_path: Path) -> None:
    """A test network has names of its own behind the same address."""
    async with ens_chain(tmp_path, chain_id=11_155_111) as other:
        await other.name("alice.eth", ALICE)
        with pytest.raises(NodeUnavailable, match="is not on Ethereum"):
            await EnsNames(other.rpc).address("alice.eth", 1)


async def test_a_chain_without_names_and_a_node_that_is_gone_are_no_answers(names: EnsNames, chain: EnsChain) -> None:
    code = await chain.rpc.call("eth_getCode", [UNIVERSAL_RESOLVER, "latest"])
    await chain.rpc.call("anvil_setCode", [UNIVERSAL_RESOLVER, "0x"])
    with pytest.raises(NodeUnavailable, match="no ENS resolver"):
        await names.address("alice.eth", 1)
    await chain.rpc.call("anvil_setCode", [UNIVERSAL_RESOLVER, code])
    with pytest.raises(NodeUnavailable):
        await EnsNames(replace(chain.rpc, url="http://127.0.0.1:1")).address("alice.eth", 1)
