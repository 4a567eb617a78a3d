import re

import pytest
from pydantic import ValidationError

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.known import ChainChange, ChainFaults, changed_chains, known_chains, to_chain
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.gateways.evm.address import checksummed

MAINNETS = {
    1: "eth", 10: "op", 8453: "base", 42161: "arb", 137: "pol", 56: "bsc", 43114: "ava", 100: "gno", 59144: "lna",
    534352: "scl", 81457: "bls", 130: "uni", 480: "wcc", 42220: "celo", 5000: "mnt", 146: "son", 80094: "ber",
    324: "era", 143: "mon", 999: "hyp", 4663: "rhc", 9745: "pla", 57073: "ink", 1000000001: "sol",
}  # fmt: skip
NEW = {"id": 777, "key": "new", "name": "New", "native": {"symbol": "NEW", "name": "New"}}
MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
ROUTER = "0xE592427A0AEce92De3Edee1F18E0157C05861564"


def change(**fields: object) -> ChainChange:
    return ChainChange.model_validate(fields)


def test_the_well_known_chains_are_known() -> None:
    assert {chain.id: chain.key for chain in known_chains()} == MAINNETS


@pytest.mark.parametrize("facts", known_chains(), ids=lambda facts: facts.key)
def test_facts_are_whole_and_canonical(facts: object) -> None:
    assert facts in known_chains()
    chain = to_chain(next(known for known in known_chains() if known == facts))
    assert chain.native.address == (NATIVE_EVM if chain.type is ChainType.EVM else NATIVE_SVM)
    assert chain.mainnet
    assert chain.rpc_urls
    assert all(
        re.fullmatch(r"https://[^\s@?]+", str(url)) for url in (*chain.rpc_urls, chain.explorer_url, chain.logo_uri)
    )
    for address in (chain.multicall, chain.wrapped_native):
        assert address is None or not address.startswith("0x") or checksummed(address) == address
    assert (chain.diamond, chain.executor) == (None, None)


def test_names_and_aliases_of_the_field() -> None:
    catalog = ChainCatalog(to_chain(facts) for facts in known_chains())
    for name, number in {"bas": 8453, "opt": 10, "matic": 137, "avax": 43114, "SOL": 1000000001, "eth": 1}.items():
        found = catalog.find(name)
        assert found is not None
        assert found.id == number


def test_zksync_is_another_machine() -> None:
    (era,) = [facts for facts in known_chains() if facts.id == 324]
    assert not era.diamond
    assert era.multicall == "0xF9cda624FBC7e059355ce98a31693d299FACd963"
    assert all(facts.diamond for facts in known_chains() if facts.id != 324)


def test_an_operator_changes_adds_and_removes() -> None:
    known = known_chains()
    changes = [
        change(id=8453, rpc_urls=["https://mine.example"], confirmations=9),
        change(id=324, remove=True),
        change(**NEW, aliases=["neu"], wrapped_native=ROUTER.lower()),
        change(id=56, multicall=ROUTER.lower()),
    ]
    chains = {facts.id: to_chain(facts) for facts in changed_chains(known, changes)}
    assert set(chains) == (set(MAINNETS) | {777}) - {324}
    assert (chains[8453].rpc_urls, chains[8453].confirmations) == (("https://mine.example",), 9)
    assert (chains[8453].name, chains[8453].aliases) == ("Base", ("bas",))
    assert (chains[777].key, chains[777].wrapped_native, chains[777].native.decimals) == ("new", ROUTER, 18)
    assert chains[56].multicall == ROUTER
    assert list(chains)[-1] == 777


def test_without_known_chains_the_operators_are_all() -> None:
    assert [facts.id for facts in changed_chains((), [change(**NEW)])] == [777]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"id": 777}, "chain 777: key: Field required"),
        ({"id": 777, "key": "new"}, "chain 777: native: Field required"),
        ({"id": 777, "remove": True}, "chain 777: remove: is not a known chain"),
        ({**NEW, "key": "eth"}, "chain 777: the name 'eth' belongs to chain 1; choose another"),
        ({**NEW, "aliases": ["bas"]}, "chain 777: the name 'bas' belongs to chain 8453"),
        ({"id": 1, "wrapped_native": "0x1234"}, "chain 1: wrapped_native must be an address"),
        ({"id": 1, "multicall": "0xe592427A0AEce92De3Edee1F18E0157C05861564"}, "chain 1: multicall must be an address"),
        ({"id": 1000000001, "wrapped_native": ROUTER}, "chain 1000000001: wrapped_native must be an address"),
    ],
)
def test_a_change_that_makes_no_chain_names_the_field(fields: dict[str, object], fault: str) -> None:
    with pytest.raises(ChainFaults) as caught:
        changed_chains(known_chains(), [change(**fields)])
    assert any(line.startswith(fault) for line in caught.value.faults), caught.value.faults


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ChainFaults) as caught:
        changed_chains(
            known_chains(), [change(id=777), change(id=1), change(id=1, name="Again"), change(id=5, remove=True)]
        )
    assert len([line for line in caught.value.faults if line.startswith("chain 777")]) == 3
    assert "chain 1: is there twice; keep one [[chains]] entry per ID" in caught.value.faults
    assert any(line.startswith("chain 5: remove") for line in caught.value.faults)


@pytest.mark.parametrize("url", ["ftp://x", "https://user:key@node.example", "https://", "node.example", "https://a b"])
def test_a_public_address_is_plain_http(url: str) -> None:
    with pytest.raises(ValidationError, match="rpc_urls"):
        change(id=1, rpc_urls=[url])


def test_an_unknown_field_is_a_fault() -> None:
    with pytest.raises(ValidationError, match="rcp_urls"):
        change(id=1, rcp_urls=[])


class Served(ChainChange):
    """What the settings of a service add to a change."""

    rpc: str | None = None


def test_settings_may_say_more_about_a_chain() -> None:
    (facts,) = changed_chains((), [Served.model_validate({**NEW, "rpc": "https://node.example/secret"})])
    assert "secret" not in repr(to_chain(facts))


def test_a_solana_chain_of_the_operators_has_what_all_have() -> None:
    """Nine decimals, wrapped SOL where it is everywhere, and neither Multicall3 nor contracts of ours."""
    own = change(id=900_003, key="own", name="Own", type="SVM", native={"symbol": "SOL", "name": "SOL"})
    chain = to_chain(next(facts for facts in changed_chains(known_chains(), [own]) if facts.id == 900_003))
    assert (chain.native.address, chain.native.decimals) == (NATIVE_SVM, 9)
    assert chain.wrapped_native == "So11111111111111111111111111111111111111112"
    assert (chain.multicall, chain.diamond) == (None, None)
    native = {"symbol": "X", "name": "X", "decimals": 6}
    said = change(id=900_003, key="own", name="Own", type="SVM", wrapped_native=MINT, native=native)
    other = to_chain(changed_chains((), [said])[0])
    assert (other.native.decimals, other.wrapped_native) == (6, MINT)


def test_an_address_of_another_type_is_refused() -> None:
    wrong = change(id=900_003, key="own", name="Own", type="SVM", native=NEW["native"], wrapped_native=ROUTER)
    with pytest.raises(ChainFaults) as raised:
        changed_chains((), [wrong])
    assert "wrapped_native must be an address of the chain" in raised.value.faults[0]
