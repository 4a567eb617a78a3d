"""Tools for what there is: chains, tokens, and prices."""

from rhumbline_client import models
from rhumbline_client.mcp.arguments import NoArguments, TokenName, TokenSearch
from rhumbline_client.mcp.catalog import ADDRESS, token_found
from rhumbline_client.mcp.failures import ToolFailure
from rhumbline_client.mcp.results import ChainFound, Chains, Price, Tokens
from rhumbline_client.mcp.service import Service


async def chains(service: Service, _: NoArguments) -> Chains:
    """List all chains."""
    return Chains(chains=[_chain_found(each) for each in await service.catalog.chains()])


async def tokens(service: Service, asked: TokenSearch) -> Tokens:
    """Search tokens by symbol, name or address.

    Raises:
        ToolFailure: a chain is not known, or an address has no chain.

    """
    chosen = None if asked.chain is None else await service.catalog.chain("chain", asked.chain)
    if asked.search is not None and ADDRESS.fullmatch(asked.search.strip()):
        if chosen is None:
            raise ToolFailure("chain: name the chain of the address; the same address may be another token elsewhere")
        token = await service.catalog.token("search", chosen, asked.search)
        return Tokens(tokens=[await service.catalog.shown(token, chosen)], found=1)
    looked_at = await service.catalog.chains() if chosen is None else [chosen]
    listed = (
        await service.catalog.all_listed() if chosen is None else {chosen.id: await service.catalog.listed(chosen.id)}
    )
    wanted = (asked.search or "").strip().casefold()
    found = [
        (chain, token)
        for chain in looked_at
        for token in listed.get(chain.id, [])
        if wanted in token.symbol.casefold() or wanted in token.name.casefold()
    ]
    found.sort(key=lambda each: (_rank(each[1], wanted), each[0].key, each[1].symbol.casefold()))
    first = [token_found(token, chain, listed=True) for chain, token in found[: asked.limit]]
    return Tokens(tokens=first, found=len(found))


async def price(service: Service, asked: TokenName) -> Price:
    """Look up what a token is worth."""
    chain = await service.catalog.chain("chain", asked.chain)
    token = await service.catalog.token("token", chain, asked.token)
    (found,) = await service.client.prices([(chain.id, token.address)])
    return Price(
        token=await service.catalog.shown(token, chain),
        price_usd=None if found.price_usd is None else format(found.price_usd, "f"),
        source=found.source,
        updated_at=None if found.updated_at is None else found.updated_at.isoformat(),
        stale=found.stale,
    )


def _rank(token: models.Token, wanted: str) -> int:
    return 0 if token.symbol.casefold() == wanted else 1 if token.symbol.casefold().startswith(wanted) else 2


def _chain_found(chain: models.Chain) -> ChainFound:
    return ChainFound(
        id=chain.id,
        key=chain.key,
        name=chain.name,
        type=chain.chain_type,
        served=chain.served,
        mainnet=chain.mainnet,
        native_symbol=chain.native_token.symbol,
        native_address=chain.native_token.address,
    )
