import pytest

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.catalog.tools import CONTRACT_ADAPTERS, KNOWN_ADAPTERS, ToolCatalog
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.token import Token

REAL = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
FAKE = "0xdAC17F958D2ee523a2206206994597C13D831ec7"


def chain(number: int, key: str, aliases: tuple[str, ...] = ()) -> Chain:
    native = Token(number, NATIVE_EVM, "ETH", 18, "Ether", "ETH")
    return Chain(number, key, key.title(), ChainType.EVM, native, mainnet=True, aliases=aliases)


ETH, BASE = chain(1, "eth"), chain(8453, "base", ("bas",))


@pytest.mark.parametrize("name", ["8453", "base", "BASE", " bas "])
def test_a_chain_is_found_by_id_key_and_alias(name: str) -> None:
    assert ChainCatalog([ETH, BASE]).find(name) is BASE


@pytest.mark.parametrize("name", ["", "0", "2", "bse", "1.0", "٨٤٥٣", "9" * 400])
def test_an_unknown_chain_is_none(name: str) -> None:
    assert ChainCatalog([ETH, BASE]).find(name) is None


def test_names_and_ids_are_unique() -> None:
    with pytest.raises(ValueError, match="'eth'"):
        ChainCatalog([ETH, chain(2, "eth")])
    with pytest.raises(ValueError, match="same ID"):
        ChainCatalog([ETH, chain(1, "two")])


def test_the_first_list_wins_a_symbol() -> None:
    tokens = [Token(1, REAL, "USDC", 6, "USD Coin"), Token(1, FAKE, "usdc", 6, "Look-alike")]
    catalog = TokenCatalog([ETH], tokens, {})
    assert catalog.find(ETH, "Usdc") == tokens[0]
    assert catalog.find(ETH, FAKE.lower()) == tokens[1]
    assert catalog.find(ETH, "eth") == ETH.native
    assert [token.symbol for token in catalog.listed(1)] == ["ETH", "USDC", "usdc"]


def test_tools_are_those_configured() -> None:
    info = AdapterInfo("UNISWAP", "Uniswap", "https://example.org/u.svg", Capability.EXCHANGE, (1,))
    tools = ToolCatalog([info])
    assert tools.exchanges(None) == (info,)
    assert tools.exchanges(frozenset({1, 10})) == (info,)
    assert tools.exchanges(frozenset({10})) == ()
    assert tools.bridges(None) == ()


def test_tools_are_listed_with_the_chains_that_they_can_quote_from() -> None:
    """A bridge's other chains are ends of its transfers; without a node anywhere there is no tool at all."""
    dex = AdapterInfo("OKX", "OKX", "", Capability.EXCHANGE, (1, 10))
    both = AdapterInfo("RELAY", "Relay", "", Capability.MULTI, (1, 8453))
    far = AdapterInfo("ACROSS", "Across", "", Capability.BRIDGE, (10, 8453))
    tools = ToolCatalog([dex, both, far], served=frozenset({1}))
    assert [(info.key, info.chains) for info in tools.exchanges(None)] == [("OKX", (1,)), ("RELAY", (1,))]
    assert [(info.key, info.chains) for info in tools.bridges(None)] == [("RELAY", (1, 8453))]
    assert tools.exchanges(frozenset({10, 8453})) == ()
    assert [info.key for info in tools.bridges(frozenset({8453}))] == ["RELAY"]
    nowhere = ToolCatalog([dex, both, far], served=frozenset())
    assert (nowhere.exchanges(None), nowhere.bridges(None)) == ((), ())
    assert tools.known == nowhere.known, "filters may name what is not listed"


def test_the_contracts_keys_are_known() -> None:
    assert len(KNOWN_ADAPTERS) == 18
    assert len(CONTRACT_ADAPTERS) == 17


def test_keys_beyond_the_contract_may_be_left_out() -> None:
    infos = [AdapterInfo(key, key, "", Capability.EXCHANGE, (1,)) for key in ("UNISWAP", "NEWCOMER", "OKX")]
    tools = ToolCatalog(infos)
    assert [info.key for info in tools.exchanges(None)] == ["NEWCOMER", "OKX", "UNISWAP"]
    assert {"UNISWAP", "NEWCOMER"} < set(tools.known)
    strict = ToolCatalog(infos, beyond_contract=False)
    assert [info.key for info in strict.exchanges(None)] == ["OKX"]
    assert strict.known == CONTRACT_ADAPTERS
