from importlib.resources import files

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.index import TokenIndex
from rhumbline.catalog.known import known_chains, to_chain
from rhumbline.catalog.snapshot import shipped_tokens
from rhumbline.catalog.symbols import hides_something, skeleton
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.svm.address import is_address
from tests.catalog.conftest import CHAINS, ETH

ALL = ChainCatalog(to_chain(facts) for facts in known_chains())
USD_COINS = {
    1: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    10: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
    137: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
    8453: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    42161: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
    43114: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
    1000000001: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
}


def test_there_are_many_and_the_file_is_small() -> None:
    assert len(list(shipped_tokens(ALL))) >= 1000
    data = files("rhumbline.catalog") / "data"
    assert len((data / "tokens.csv").read_bytes()) < 400_000
    assert "licence" in (data / "SOURCES.md").read_text("utf-8")


def test_every_row_is_canonical() -> None:
    seen = set()
    for token in shipped_tokens(ALL):
        chain = ALL.by_id.get(token.chain_id)
        assert chain is not None
        if chain.type is ChainType.EVM:
            assert checksummed(token.address) == token.address
        else:
            assert is_address(token.address)
        assert token.address != chain.native.address
        assert not hides_something(token.symbol + token.name)
        assert 0 <= token.decimals <= 36
        assert token.name
        seen.add((token.chain_id, token.address))
    assert len(seen) == len(list(shipped_tokens(ALL)))


def test_no_two_have_one_symbol_and_none_has_the_natives() -> None:
    rows = [(token.chain_id, skeleton(token.symbol)) for token in shipped_tokens(ALL)]
    assert len(set(rows)) == len(rows)
    assert not set(rows) & {(chain.id, skeleton(chain.native.symbol)) for chain in ALL}


def test_the_dollar_is_the_issuers_own() -> None:
    index = TokenIndex.of(ALL, shipped_tokens(ALL))
    for chain_id, address in USD_COINS.items():
        chain = ALL.by_id.get(chain_id)
        assert chain is not None
        found = index.find(chain, "usdc")
        assert found is not None
        assert (found.address, found.decimals, found.coin_key) == (address, 6, "USDC")


# What answers to USDT, by chain. On Arbitrum and Celo the contract calls itself USD₮0 or USD₮ by now.
TETHERS = {
    1: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    10: "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
    137: "0xc2132D05D31c914a87C6611C10748AEb04B58e8F",
    42161: "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
    42220: "0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e",
    43114: "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7",
}


def test_tethers_are_found_by_the_name_that_people_use() -> None:
    index = TokenIndex.of(ALL, shipped_tokens(ALL))
    for chain_id, address in TETHERS.items():
        chain = ALL.by_id.get(chain_id)
        assert chain is not None
        found = index.find(chain, "USDT")
        assert found is not None
        assert (found.address, found.decimals) == (address, 6)
    arbitrum = ALL.by_id.get(42161)
    assert arbitrum is not None
    for asked in ("usdt", "USD₮0", "USDT0", TETHERS[42161]):
        found = index.find(arbitrum, asked)
        assert found is not None
        assert (found.address, found.symbol) == (TETHERS[42161], "USD₮0")


def test_every_shipped_token_is_found_by_its_own_symbol() -> None:
    """No coin key takes a symbol from the token that has it."""
    index = TokenIndex.of(ALL, shipped_tokens(ALL))
    for token in shipped_tokens(ALL):
        chain = ALL.by_id.get(token.chain_id)
        assert chain is not None
        found = index.find(chain, token.symbol)
        assert found is not None
        assert found.address == token.address
        assert "\\" not in token.symbol + token.name, "an escape of the source, not a character"


def test_every_known_chain_has_tokens_and_unknown_ones_are_passed_over() -> None:
    assert {token.chain_id for token in shipped_tokens(ALL)} == {chain.id for chain in ALL}
    assert {token.chain_id for token in shipped_tokens(CHAINS)} == {ETH.id, 1000000001}
