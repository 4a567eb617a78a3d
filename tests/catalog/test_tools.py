"""Which adapters are listed, and from which chains."""

from rhumbline.catalog.tools import CONTRACT_ADAPTERS, KNOWN_ADAPTERS, ToolCatalog
from rhumbline.domain.adapter import AdapterInfo, Capability


def test_tools_are_those_configured() -> None:
    info = AdapterInfo("ONCHAIN", "On-chain pools", "https://example.org/u.svg", Capability.EXCHANGE, (1,))
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
    infos = [AdapterInfo(key, key, "", Capability.EXCHANGE, (1,)) for key in ("ONCHAIN", "NEWCOMER", "OKX")]
    tools = ToolCatalog(infos)
    assert [info.key for info in tools.exchanges(None)] == ["NEWCOMER", "OKX", "ONCHAIN"]
    assert {"ONCHAIN", "NEWCOMER"} < set(tools.known)
    strict = ToolCatalog(infos, beyond_contract=False)
    assert [info.key for info in strict.exchanges(None)] == ["OKX"]
    assert strict.known == CONTRACT_ADAPTERS
