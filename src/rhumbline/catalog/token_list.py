"""Reads Token Lists (schema: https://uniswap.org/tokenlist.schema.json, read 2026-11).

The envelope must be right, or the list is refused. A token that breaks the schema, and one whose symbol or name hides
characters, is left out and counted; a list most of whose tokens are like that is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.symbols import hides_something
from rhumbline.domain.chain import NATIVE_EVM_ALIAS
from rhumbline.domain.token import Token
from rhumbline.gateways.chain_types.addresses import canonical_address

MOST_TOKENS = 50_000
"""More than the schema's 10,000, which real lists exceed."""

Number = Annotated[int, Field(ge=0, lt=2**31)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", hide_input_in_errors=True)


class _Version(_Part):
    major: Number
    minor: Number
    patch: Number


class _Tag(_Part):
    name: Annotated[str, Field(max_length=20)]
    description: Annotated[str, Field(max_length=200)]


class _Envelope(_Part):
    name: Annotated[str, Field(min_length=1, max_length=60)]
    timestamp: Annotated[AwareDatetime, Field(strict=False)]
    version: _Version
    tokens: Annotated[list[dict[str, object]], Field(min_length=1, max_length=MOST_TOKENS)]
    keywords: Annotated[list[str], Field(max_length=20)] = []
    tags: Annotated[dict[str, _Tag], Field(max_length=20)] = {}


class _Entry(_Part):
    chain_id: Annotated[int, Field(alias="chainId", gt=0, lt=2**53)]
    address: Annotated[str, Field(pattern=r"^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$")]
    decimals: Annotated[int, Field(ge=0, le=255)]
    name: Annotated[str, Field(max_length=60, pattern=r"^[ \S]*$")]
    symbol: Annotated[str, Field(min_length=1, max_length=20, pattern=r"^\S+$")]
    logo_uri: Annotated[str | None, Field(alias="logoURI")] = None


class ListRefused(Exception):
    """A document that is no usable token list; one line that says why."""


@dataclass(frozen=True, slots=True, order=True)
class ListVersion:
    """A list's semantic version and time; only a later version replaces an earlier one."""

    major: int
    minor: int
    patch: int
    at: datetime

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@dataclass(frozen=True, slots=True)
class TokenList:
    """A list's tokens on the requested chains, in its order; ``left_out`` counts the unusable ones."""

    name: str
    version: ListVersion
    tokens: tuple[Token, ...]
    left_out: int


def read_token_list(body: bytes, chains: ChainCatalog) -> TokenList:
    """Parse and check a list; tokens of other chains are passed over. Raise ListRefused."""
    try:
        envelope = _Envelope.model_validate_json(body)
    except ValidationError as error:
        detail = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in detail["loc"])
        raise ListRefused(f"is no token list: {place + ': ' if place else ''}{detail['msg']}") from None
    tokens: list[Token] = []
    left_out = 0
    for item in envelope.tokens:
        entry = _entry(item)
        if entry is None:
            left_out += 1
        elif (token := _token(entry, chains)) is not None:
            tokens.append(token)
    if left_out * 2 > len(envelope.tokens):
        raise ListRefused(f"is no token list: {left_out} of its {len(envelope.tokens)} tokens break the schema")
    version = envelope.version
    return TokenList(
        envelope.name,
        ListVersion(version.major, version.minor, version.patch, _in_utc(envelope.timestamp)),
        tuple(tokens),
        left_out,
    )


def _in_utc(time: datetime) -> datetime:
    try:
        return time.astimezone(UTC)
    except OverflowError:
        raise ListRefused("is no token list: timestamp: before the year 1 or after the year 9999 in UTC") from None


def _entry(item: Mapping[str, object]) -> _Entry | None:
    try:
        entry = _Entry.model_validate(item)
    except ValidationError:
        return None
    return None if hides_something(entry.symbol) or hides_something(entry.name) else entry


def _token(entry: _Entry, chains: ChainCatalog) -> Token | None:
    chain = chains.by_id.get(entry.chain_id)
    address = None if chain is None else canonical_address(chain.type, entry.address)
    if chain is None or address is None or address == NATIVE_EVM_ALIAS:
        return None
    return Token(chain.id, address, entry.symbol, entry.decimals, entry.name, logo_uri=_served_logo(entry.logo_uri))


def _served_logo(uri: str | None) -> str | None:
    """Keep only addresses that a client can load without running anything."""
    fits = uri is not None and len(uri) <= 2000 and uri.isascii() and uri.isprintable() and " " not in uri
    return uri if fits and uri is not None and uri.startswith(("https://", "ipfs://")) else None
