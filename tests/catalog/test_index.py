import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.catalog.index import TokenIndex
from rhumbline.catalog.symbols import skeleton
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.address import checksummed
from tests.catalog.conftest import ETH, FAKE, OTHER, SOL, USDC

REAL = Token(1, USDC, "USDC", 6, "USD Coin")


def numbered(number: int, symbol: str) -> Token:
    return Token(1, checksummed(number.to_bytes(20)), symbol, 18, f"Token {number}")


def test_a_disguised_token_is_not_listed_and_a_namesake_is_but_has_not_the_symbol() -> None:
    disguised, namesake = Token(1, FAKE, "UЅDС", 6, "USD Coin"), Token(1, OTHER, "usdc", 6, "USD Coin")
    index = TokenIndex.of([ETH], [REAL, disguised, namesake])
    assert index.lists[1] == (ETH.native, REAL, namesake)
    assert index.find(ETH, FAKE) is None
    assert index.find(ETH, OTHER.lower()) == namesake
    for asked in ("USDC", "usdc", "UЅDС", "ＵＳＤＣ", "US\u200bDC"):
        assert index.find(ETH, asked) == REAL


def test_nothing_takes_a_native_assets_symbol() -> None:
    index = TokenIndex.of([ETH], [Token(1, FAKE, "ETH", 18, "Ether"), Token(1, OTHER, "ЕТН", 18, "Ether")])
    assert index.find(ETH, "eth") == ETH.native
    assert index.find(ETH, OTHER) is None


def test_the_first_to_name_an_address_says_what_is_there() -> None:
    later = Token(1, USDC, "SCAM", 18, "Other", "USDC", "https://logos.example/usdc.svg")
    (found,) = TokenIndex.of([], [REAL, later]).lists[1]
    assert found == Token(1, USDC, "USDC", 6, "USD Coin", "USDC", "https://logos.example/usdc.svg")
    assert TokenIndex.of([], [REAL, later]).find(ETH, "SCAM") is None
    assert TokenIndex.of([], [REAL, later]).find(ETH, "USDC") == found


def test_a_coin_key_finds_what_has_another_symbol_now() -> None:
    renamed = Token(1, USDC, "USD₮0", 6, "USDT0", "USDT")
    index = TokenIndex.of([ETH], [renamed])
    for asked in ("USDT", "usdt", "USD₮", "USD₮0", "USDT0"):
        assert index.find(ETH, asked) == renamed
    assert index.lists[1] == (ETH.native, renamed), "and is listed once"
    namesake = Token(1, FAKE, "USDT", 6, "Tether USD")
    assert TokenIndex.of([ETH], [renamed, namesake]).find(ETH, "USDT") == namesake, "a symbol before a coin key"
    assert TokenIndex.of([ETH], [Token(1, FAKE, "WETH", 18, "Wrapped Ether", "ETH")]).find(ETH, "ETH") == ETH.native


def test_no_list_takes_a_coin_keys_lookups() -> None:
    renamed, plain = Token(1, USDC, "USD₮0", 6, "USDT0", "USDT"), Token(1, FAKE, "USDT", 6, "Tether USD")
    disguised = Token(1, OTHER, "USD₮", 6, "Tether USD")
    index = TokenIndex.of([ETH], [renamed], [plain, disguised])
    assert index.find(ETH, "USDT") == index.find(ETH, "USD₮") == renamed
    assert index.find(ETH, FAKE) == plain
    assert index.find(ETH, OTHER) is None


def test_chains_do_not_mix_and_base58_has_case() -> None:
    mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
    solana = Token(SOL.id, mint, "USDC", 6, "USD Coin")
    index = TokenIndex.of([ETH, SOL], [REAL, solana])
    assert index.find(SOL, "USDC") == index.find(SOL, mint) == solana
    assert index.find(SOL, mint.lower()) is None
    assert index.find(ETH, "SOL") is None


TOKENS = st.lists(
    st.builds(numbered, st.integers(1, 12), st.sampled_from(["USDC", "usdc", "UЅDC", "USD₮", "USDT", "ETH", "A", "B"])),
    max_size=30,
)


@given(TOKENS, TOKENS)
def test_what_is_less_trusted_never_takes_anything_away(trusted: list[Token], others: list[Token]) -> None:
    alone, merged = TokenIndex.of([ETH], trusted), TokenIndex.of([ETH], trusted + others)
    for looks, token in alone.by_symbol.items():
        assert merged.by_symbol[looks] == token
    for key, token in alone.by_address.items():
        assert merged.by_address[key] == token
    assert merged.lists[1][: len(alone)] == alone.lists[1]


@given(TOKENS)
def test_every_listed_token_is_found_and_has_a_winner_of_its_symbol(tokens: list[Token]) -> None:
    index = TokenIndex.of([ETH], tokens)
    assert sorted(token.address for token in index.lists[1]) == sorted({token.address for token in index.lists[1]})
    for token in index.lists[1]:
        assert index.find(ETH, token.address) == token
        winner = index.find(ETH, token.symbol)
        assert winner is not None
        assert skeleton(winner.symbol) == skeleton(token.symbol)


def test_many_tokens_are_no_strain() -> None:
    tokens = [numbered(number, f"T{number}") for number in range(1, 20_001)]
    tracemalloc.start()
    index = TokenIndex.of([ETH], tokens)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(index) == 20_001
    assert size < 20_000_000
    assert index.find(ETH, "t19999") == tokens[19_998]
