"""``GET /v1/prices``: cached snapshots, one per requested token, in order. Nothing here waits for a price."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.parameters.parameter import LARGEST_CHAIN_ID, Parameter, Reading, Text, Unreadable, shown
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.price_answers import Questions, RequestedToken
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.price import TokenPriceResult
from rhumbline.api.wire.shape import Wire
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NotFound
from rhumbline.gateways.chain_types.addresses import canonical_token

PRICES = "/v1/prices"
MOST_ENTRIES = 50
_LONGEST_TOKEN = 128
_LONGEST_CHAIN = 64
_LONGEST_ID = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """One token of a batch as given: the chain's ID or key, and the token's address or symbol."""

    chain: str
    token: str


@dataclass(frozen=True, slots=True)
class Entries:
    """Comma-separated ``<chain_id>:<token>`` entries, with blanks around."""

    most: int = MOST_ENTRIES

    @property
    def schema(self) -> Mapping[str, object]:
        # Nothing can be read in two ways, so that no validator tries them all.
        entry = " *[^,: ][^,:]*: *[^, ][^,]*"
        return {"type": "string", "minLength": 3, "pattern": f"^{entry}(,{entry}){{0,{self.most - 1}}}$"}

    def read(self, text: str, /) -> tuple[Entry, ...]:
        """Return the entries in their order, repetitions kept."""
        parts = [part.strip(" ") for part in text.split(",")]
        if len(parts) > self.most:
            raise Unreadable(f"must have at most {self.most} entries; got {len(parts)}: ask in several requests")
        entries, faults = [], []
        for place, part in enumerate(parts, 1):
            chain, _, token = (piece.strip(" ") for piece in part.partition(":"))
            if (fault := _fault(part, chain, token)) is not None:
                faults.append(f"has at place {place} {fault}")
            entries.append(Entry(chain, token))
        if faults:
            raise Unreadable("; it ".join(faults))
        return tuple(entries)


CHAIN_ID = Parameter(
    "chainId",
    Text(_LONGEST_CHAIN),
    "Chain ID, for one token; with `token`.",
    "1",
    remedy="a chain's ID (GET /v1/chains lists them) together with token, or give tokens",
)
TOKEN = Parameter(
    "token",
    Text(_LONGEST_TOKEN),
    "Token address or symbol, for one token; with `chainId`.",
    "USDC",
    remedy="a token's address or symbol together with chainId, or give tokens",
)
TOKENS = Parameter(
    "tokens",
    Entries(),
    f"Comma-separated `<chainId>:<token>` entries, at most {MOST_ENTRIES}; used instead of `chainId` and `token`.",
    "1:USDC,8453:0x0000000000000000000000000000000000000000",
    remedy="entries <chainId>:<token>, separated by commas",
)

_PRICES = Operation(
    "getPrices",
    "Metadata",
    "Token prices",
    "Cached prices in USD, one element per requested token, in order. A stale price is returned at once, and its "
    "refresh is scheduled. A token without a price has no `priceUSD`; in a batch this also applies to unknown symbols "
    "and chains, which are 404 in a single lookup.",
    (CHAIN_ID, TOKEN, TOKENS),
    (400, 404, 429),
)


class PriceList(Wire):
    """Price snapshots in the order of the request."""

    prices: list[TokenPriceResult]


def price_route(services: Services) -> ApiRoute:
    questions = Questions(services, lambda query: _read(services, Reading(query_source(query))))

    async def get_prices(request: Request) -> Response:
        return questions.answer(request.scope["query_string"])

    return ApiRoute(PRICES, get_prices, _PRICES, PriceList, questions.find)


def _read(services: Services, reading: Reading) -> tuple[RequestedToken, ...]:
    if reading.has(TOKENS):
        entries = reading.take(TOKENS) or ()
        name = TOKENS.name
    else:
        for parameter in (CHAIN_ID, TOKEN):
            if not reading.has(parameter):
                reading.fault(parameter.name, f"is missing: give {parameter.remedy}")
        chain_id, token = reading.take(CHAIN_ID), reading.take(TOKEN)
        entries = () if chain_id is None or token is None else (Entry(chain_id, token),)
        name = CHAIN_ID.name
        if chain_id is not None and token is None and services.chains.find(chain_id) is None:
            reading.unknown_chain(name, chain_id)
    chains = {entry.chain: services.chains.find(entry.chain) for entry in entries}
    for chain in (chain for chain, known in chains.items() if known is None):
        if name == CHAIN_ID.name:
            reading.unknown_chain(name, chain)
        elif _number(chain) is None:
            reading.fault(name, f"names the chain {shown(chain)}, which is neither an ID nor a key of GET /v1/chains")
    reading.finish()
    requested = []
    for entry in entries:
        known, number = chains[entry.chain], _number(entry.chain)
        if known is not None:
            requested.append(_requested(services, known, entry.token))
        elif number is not None:
            requested.append(RequestedToken(number, entry.token, None))
    if name == CHAIN_ID.name and requested[0].address is None:
        raise NotFound(
            f"Token {shown(requested[0].token)} is not known on chain {requested[0].chain_id}; "
            f"GET /v1/tokens?chains={requested[0].chain_id} lists those"
        )
    return tuple(requested)


def _number(chain: str) -> int | None:
    """Read a chain's ID, served or not; None if it is invalid."""
    number = int(chain) if chain.isascii() and chain.isdigit() and len(chain) <= _LONGEST_ID else 0
    return number if 0 < number <= LARGEST_CHAIN_ID else None


def _requested(services: Services, chain: Chain, text: str) -> RequestedToken:
    """Return the token that a text names: an address by its form, else a listed symbol."""
    address = canonical_token(chain.type, text)
    if address is not None:
        return RequestedToken(chain.id, address, address)
    listed = services.tokens.find(chain, text)
    return (
        RequestedToken(chain.id, text, None)
        if listed is None
        else RequestedToken(chain.id, listed.address, listed.address)
    )


def _fault(part: str, chain: str, token: str) -> str | None:
    if not part:
        return "an empty entry: separate entries by single commas"
    if not chain:
        return f"{shown(part)}, which names no chain: write <chainId>:<token>"
    if not token:
        return f"{shown(part)}, which names no token: write <chainId>:<token>"
    if len(chain) > _LONGEST_CHAIN or len(token) > _LONGEST_TOKEN:
        return f"{shown(part)}, which is too long: a token's name has at most {_LONGEST_TOKEN} characters"
    return None
