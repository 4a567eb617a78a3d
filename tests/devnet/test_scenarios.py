"""Which chapters the story has for the adapters that the service lists."""

from rhumbline.devnet.scenarios import COMPOSED, HERE, SOLANA, SOLANA_ID, THERE, chapters_of
from rhumbline.devnet.svm.plans import CHAIN_ID, CHAIN_KEY

BOTH = ["900001", "900002", SOLANA_ID]


def tool(key: str, *chains: str) -> dict[str, object]:
    return {"key": key, "supportedChains": list(chains)}


def test_solana_is_named_as_it_is_set_up() -> None:
    assert (CHAIN_KEY, str(CHAIN_ID)) == (SOLANA, SOLANA_ID)


def test_each_adapter_has_a_chapter_on_each_type_of_chain_that_it_serves() -> None:
    exchanges = [tool("HERE_ONLY", "900001", "900002"), tool("THERE_ONLY", SOLANA_ID), tool("BOTH", *BOTH)]
    chapters = chapters_of({"exchanges": exchanges, "bridges": [tool("ROUND", *BOTH), tool("EVM_ONLY", *BOTH[:2])]})
    won = [(each.adapter, each.chain, each.there) for each in chapters if each.adapter]
    assert won == [
        ("BOTH", HERE, HERE), ("HERE_ONLY", HERE, HERE), ("EVM_ONLY", THERE, HERE), ("ROUND", THERE, HERE),
        ("BOTH", SOLANA, SOLANA), ("THERE_ONLY", SOLANA, SOLANA), ("ROUND", SOLANA, THERE), ("ROUND", THERE, SOLANA),
    ]  # fmt: skip
    anybody = [
        (each.chain, each.there) for each in chapters if each.adapter is None and SOLANA in (each.chain, each.there)
    ]
    assert anybody == [(SOLANA, SOLANA), (SOLANA, HERE), (HERE, SOLANA)]


def test_without_solana_there_is_no_chapter_of_it() -> None:
    chapters = chapters_of({"exchanges": [tool("ONE", "900001")], "bridges": [tool("TWO", "900001", "900002")]})
    assert chapters
    assert all(SOLANA not in (each.chain, each.there) for each in chapters)


def test_every_chapter_of_solana_for_anybody_pays_the_integrator() -> None:
    chapters = chapters_of({"exchanges": [tool("BOTH", *BOTH)], "bridges": [tool("ROUND", *BOTH)]})
    assert all(each.with_fee for each in chapters if each.adapter is None and SOLANA in (each.chain, each.there))


def test_a_swap_before_a_bridge_is_told_where_both_are_there() -> None:
    exchange, bridge = tool("ONCHAIN", "900001", "900002"), tool("ACROSS", "900001", "900002")
    assert COMPOSED in chapters_of({"exchanges": [exchange], "bridges": [bridge]})
    assert COMPOSED not in chapters_of({"exchanges": [], "bridges": [bridge]})
    assert COMPOSED not in chapters_of({"exchanges": [exchange], "bridges": []})
