"""Which token a symbol or an address means."""

from rhumbline.catalog.index import TokenIndex
from rhumbline.catalog.tokens import MOST_READ, TokenCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.token import Token
from tests.catalog.conftest import ETH, FAKE, NOW, USDC
from tests.catalog.test_index import REAL, numbered


def test_the_first_list_wins_a_symbol() -> None:
    tokens = [Token(1, USDC, "USDC", 6, "USD Coin"), Token(1, FAKE, "usdc", 6, "Look-alike")]
    catalog = TokenCatalog([ETH], tokens, {})
    assert catalog.find(ETH, "Usdc") == tokens[0]
    assert catalog.find(ETH, FAKE.lower()) == tokens[1]
    assert catalog.find(ETH, "eth") == ETH.native
    assert [token.symbol for token in catalog.listed(1)] == ["ETH", "USDC", "usdc"]


def test_a_catalog_takes_other_tokens_over_at_once() -> None:
    catalog = TokenCatalog([ETH], [REAL], {})
    before = catalog.listed(1)
    assert (catalog.version, catalog.as_of, len(catalog)) == (0, None, 2)
    catalog.adopt(TokenIndex.of([ETH], [numbered(7, "SEVEN")]), NOW)
    assert before == (ETH.native, REAL)
    assert catalog.find(ETH, "USDC") is None
    assert catalog.find(ETH, "seven") == numbered(7, "SEVEN")
    assert (catalog.version, catalog.as_of, len(catalog)) == (1, NOW, 2)


async def test_unlisted_tokens_that_were_read_are_bounded() -> None:
    """Whoever asks for more has others read theirs again, and takes no memory for it."""
    reads: list[str] = []

    class Reader:
        async def read(self, chain: Chain, address: str, /) -> Token:
            reads.append(address)
            return Token(chain.id, address, "X", 18, "X", listed=False)

    catalog = TokenCatalog([ETH], [], {ETH.id: Reader()})
    names = [f"0x{number:040x}" for number in range(1, MOST_READ + 2)]
    for name in names:
        await catalog.resolve(ETH, name)
    assert (await catalog.resolve(ETH, names[-1])).address == names[-1]
    assert len(reads) == len(names)
    assert len(catalog._read) == MOST_READ
    await catalog.resolve(ETH, names[0])
    assert reads[-1] == names[0]
