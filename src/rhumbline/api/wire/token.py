"""Tokens, and the Token Lists document of a chain (schema: https://uniswap.org/tokenlist.schema.json, read 2026-11)."""

import re
from datetime import datetime
from typing import Annotated

from pydantic import MISSING, Field, RootModel

from rhumbline.api.wire.shape import Number, Timestamp, Wire
from rhumbline.domain.chain import Chain
from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.token import Token as DomainToken

_LONGEST_INITIALS = 4
_LONGEST_SUBJECT = 64
_NO_INITIALS = re.compile(r"[^A-Za-z0-9]", re.ASCII)
_NO_SUBJECT = re.compile(r"[^A-Za-z0-9_-]", re.ASCII)
_LONGEST_LIST = 10_000
_SYMBOL = re.compile(r"\S{1,20}\Z")
_NAME = re.compile(r"[ \S]{1,60}\Z")

CoinKey = Annotated[
    str, Field(description="The same for the same asset on every chain; the symbol if no list has one.")
]
Logo = Annotated[
    str, Field(serialization_alias="logoURI", description="The token list's, otherwise a generated image.")
]
Decimals = Annotated[int, Field(ge=0, le=255)]


class Token(Wire):
    """A token with its cached price."""

    address: str
    symbol: str
    decimals: Decimals
    chain_id: int
    name: str
    coin_key: CoinKey
    price_usd: Number | MISSING = Field(default=MISSING, serialization_alias="priceUSD")
    price_updated_at: Timestamp | MISSING = MISSING
    price_source: str | MISSING = MISSING
    price_stale: bool
    price_tier: PriceTier
    logo_uri: Logo


class TokensByChain(RootModel[dict[str, list[Token]]]):
    """Tokens under their chain's ID."""


class NativeToken(Wire):
    """A chain's native asset."""

    address: str
    decimals: Decimals
    symbol: str
    chain_id: int
    coin_key: CoinKey
    name: str
    logo_uri: Logo


class ListedToken(Wire):
    """A token in the form of the Token Lists schema."""

    chain_id: int
    address: Annotated[str, Field(pattern=r"^0x[a-fA-F0-9]{40}$")]
    name: str
    decimals: Decimals
    symbol: str
    logo_uri: Logo


class ListVersion(Wire):
    """The list's semantic version."""

    major: int
    minor: int
    patch: int


class TokenList(Wire):
    """A chain's listed tokens in the standard form of token lists."""

    name: Annotated[str, Field(max_length=30)]
    timestamp: Timestamp
    version: ListVersion
    tokens: list[ListedToken]


def to_token(token: DomainToken, price: PriceSnapshot | None, base_url: str) -> Token:
    """Write a token; without a snapshot its price is stale and cold. Logos are drawn at ``base_url``."""
    return Token(
        address=token.address,
        symbol=token.symbol,
        decimals=token.decimals,
        chain_id=token.chain_id,
        name=token.name,
        coin_key=token.coin_key or token.symbol,
        price_usd=MISSING if price is None or price.usd is None else price.usd,
        price_updated_at=MISSING if price is None or price.updated_at is None else price.updated_at,
        price_source=MISSING if price is None or price.source is None else price.source,
        price_stale=True if price is None else price.stale,
        price_tier=PriceTier.COLD if price is None else price.tier,
        logo_uri=logo_of(token, base_url),
    )


def logo_url(base_url: str, name: str, subject: str) -> str:
    """Return where the drawing for a symbol or name is; ``subject`` is an address or key, which gives the colours.

    Of a name of several words the drawing has the first letters, of one word its beginning.
    """
    words = [word for word in (_NO_INITIALS.sub("", each) for each in name.split()) if word]
    letters = "".join(word[0] for word in words) if len(words) > 1 else "".join(words)
    initials = letters[:_LONGEST_INITIALS] or "-"
    return f"{base_url.rstrip('/')}/logos/{initials}/{_NO_SUBJECT.sub('-', subject)[:_LONGEST_SUBJECT]}.svg"


def logo_of(token: DomainToken, base_url: str) -> str:
    """Return a token's logo: the list's, else a drawing, which is the same for an asset on all chains."""
    return token.logo_uri or logo_url(base_url, token.symbol, token.coin_key or token.address)


def to_native(token: DomainToken, base_url: str) -> NativeToken:
    return NativeToken(
        address=token.address,
        decimals=token.decimals,
        symbol=token.symbol,
        chain_id=token.chain_id,
        coin_key=token.coin_key or token.symbol,
        name=token.name,
        logo_uri=logo_of(token, base_url),
    )


def to_token_list(brand: str, chain: Chain, tokens: tuple[DomainToken, ...], at: datetime, base_url: str) -> TokenList:
    """Write an EVM chain's listed tokens; what the schema cannot hold is left out."""
    name = re.sub(r"[^A-Za-z0-9_ ]", " ", f"{brand} {chain.name}")[:30].strip()
    fitting = [token for token in tokens if _SYMBOL.match(token.symbol) and _NAME.match(token.name)]
    return TokenList(
        name=name,
        timestamp=at,
        version=ListVersion(major=1, minor=0, patch=0),
        tokens=[
            ListedToken(
                chain_id=token.chain_id,
                address=token.address,
                name=token.name,
                decimals=token.decimals,
                symbol=token.symbol,
                logo_uri=logo_of(token, base_url),
            )
            for token in fitting[:_LONGEST_LIST]
        ],
    )
