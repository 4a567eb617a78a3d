"""The client: quotes, routes, tokens and prices, and where a transaction stands."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Literal, Self, Unpack

from rhumbline_client import models
from rhumbline_client._async.records import AsyncTransactions, AsyncWebhooks
from rhumbline_client._async.status_watch import STATUS, AsyncStatusWatch
from rhumbline_client._async.transport import AsyncTransport, answer_of
from rhumbline_client.changes import StatusChange, checked_id
from rhumbline_client.errors import EndpointMissing, ServiceError, TimedOut, Unreachable, service_error
from rhumbline_client.parameters import QuoteParameters, Share, body_of, query_of
from rhumbline_client.retries import Retries

ChainTypes = Sequence[Literal["EVM", "SVM"]]
QUOTES = "GET /v1/quotes/stream"


class AsyncRhumbline:
    """A Rhumbline service. Reads are repeated where that helps (``retries``); nothing that changes something is.

    Args:
        base_url: the service's address, ``https://swap.example``.
        key: an API key; quotes and metadata need none.
        retries: how often a read is tried, and how long it waits between.
        timeout: seconds that one request may be without an answer.
        signing_keys: the service's public keys, the `keys` of its ``/.well-known/jwks.json``. With them quotes, routes,
            steps, prices of pairs and statuses that are not signed by one are InvalidSignature; streams are not
            signed, so that a quote is asked for instead. Needs ``rhumbline-client[signatures]``.

    Every method raises a ServiceError by the code that was answered, Unreachable without an answer, UnexpectedAnswer
    for one that this client does not know, and EndpointMissing where the service is older than what was asked.

    """

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        retries: Retries | None = None,
        timeout: float = 30.0,
        signing_keys: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        self._transport = AsyncTransport(base_url, key, retries or Retries(), timeout, signing_keys)
        self.transactions = AsyncTransactions(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    async def quote(self, **asked: Unpack[QuoteParameters]) -> models.QuoteResponse:
        """Ask for the best quote, with a transaction that a wallet can sign."""
        return await self._transport.read("GET /v1/quotes", models.QuoteResponse, query=query_of(asked))

    async def quote_stream(
        self, **asked: Unpack[QuoteParameters]
    ) -> AsyncGenerator[models.QuoteEvent | models.RefusalEvent | models.QuoteResponse, None]:
        """Ask for a quote, and return each adapter's offer or refusal as it comes; the last one is the answer.

        From a service without this stream only the answer comes.
        """
        if self._transport.verifies:
            yield await self.quote(**asked)
            return
        query = query_of(asked)
        try:
            async with aclosing(self._transport.events(QUOTES, query=query)) as events:
                async for event in events:
                    if event is None:
                        continue
                    if event.name == "error":
                        raise _streamed_error(event.data)
                    if event.name == "answer":
                        yield answer_of(QUOTES, models.QuoteResponse, event.data)
                        return
                    if event.name == "quote":
                        yield answer_of(QUOTES, models.QuoteEvent, event.data)
                    elif event.name == "refusal":
                        yield answer_of(QUOTES, models.RefusalEvent, event.data)
            raise Unreachable(f"{QUOTES} ended without an answer")
        except EndpointMissing:
            yield await self.quote(**asked)

    async def routes(self, **asked: Unpack[QuoteParameters]) -> list[models.AdvancedRoute]:
        """Ask for several routes; each step is made a transaction by `step_transaction` when its turn comes."""
        answer = await self._transport.read("POST /v1/advanced/routes", models.RoutesResponse, body=body_of(asked))
        return answer.routes

    async def step_transaction(
        self,
        step: models.Step,
        *,
        sender_address: str,
        receiver_address: str,
        previous_step_received_amount: int | None = None,
        amount_override: int | None = None,
        slippage: Share | None = None,
        priority: Literal["low", "medium", "high"] | int | None = None,
        jito_tip: int | None = None,
        fee_payer: str | None = None,
        permits: bool | None = None,
    ) -> models.Step:
        """Return a step of a route with its transaction, quoted anew.

        Args:
            step: as it was answered.
            sender_address: who signs this step.
            receiver_address: the route's final receiver.
            previous_step_received_amount: what the step before delivered, in the smallest unit.
            amount_override: an amount in place of the planned one.
            slippage: the largest loss of the estimated output, as a fraction.
            priority: on Solana, the priority fee's level, or the most lamports; by default as the route was asked for.
            jito_tip: on Solana, lamports for one of Jito's tip accounts; by default likewise.
            fee_payer: on Solana, another wallet that signs too, and pays; by default likewise.
            permits: on EVM chains, also a signature in place of the approvals, where there is one.

        """
        context = body_of({
            "sender_address": sender_address,
            "receiver_address": receiver_address,
            "previous_step_received_amount": previous_step_received_amount,
            "amount_override": amount_override,
            "slippage": slippage,
            "priority": priority,
            "jito_tip": jito_tip,
            "fee_payer": fee_payer,
            "permits": permits,
        })  # fmt: skip
        body = {"step": step.model_dump(mode="json", by_alias=True, exclude_unset=True), "context": context}
        return await self._transport.read("POST /v1/advanced/stepTransaction", models.Step, body=body)

    async def chains(self, chain_types: ChainTypes | None = None) -> list[models.Chain]:
        """Return the known chains; ``served`` says which can be paid from."""
        query = query_of({"chain_types": chain_types})
        answer = await self._transport.read("GET /v1/chains", models.ChainList, query=query)
        return answer.chains

    async def token(self, chain: int | str, token: str) -> models.Token:
        """Return a token by its chain's ID or key, and its address or symbol; also one that is in no list."""
        query = query_of({"chain": chain, "token": token})
        return await self._transport.read("GET /v1/token", models.Token, query=query)

    async def tokens(
        self, chains: Sequence[int | str] | None = None, chain_types: ChainTypes | None = None
    ) -> dict[int, list[models.Token]]:
        """Return the listed tokens by their chain's ID."""
        query = query_of({"chains": chains, "chain_types": chain_types})
        return await self._transport.read("GET /v1/tokens", dict[int, list[models.Token]], query=query)

    async def token_list(self, chain_id: int) -> models.TokenList:
        """Return a chain's tokens as a token list; Solana has none."""
        return await self._transport.read("GET /v1/tokenlists/{chainId}.json", models.TokenList, chain_id)

    async def tools(self, chains: Sequence[int | str] | None = None) -> models.ToolList:
        """Return exchanges and bridges that this service asks."""
        return await self._transport.read("GET /v1/tools", models.ToolList, query=query_of({"chains": chains}))

    async def scorecards(
        self,
        *,
        days: int | None = None,
        adapters: Sequence[str] | None = None,
        source_chain_id: int | None = None,
        dest_chain_id: int | None = None,
    ) -> models.ScorecardList:
        """Return how adapters did in the last days, today included; of these adapters and this pair of chains only."""
        query = query_of(
            {
                "days": days,
                "adapters": adapters,
                "source_chain_id": source_chain_id,
                "dest_chain_id": dest_chain_id,
            }
        )
        return await self._transport.read("GET /v1/scorecards", models.ScorecardList, query=query)

    async def prices(self, tokens: Sequence[tuple[int | str, str]]) -> list[models.TokenPriceResult]:
        """Return what tokens are worth in USD; each is named by its chain and its address or symbol."""
        named = [f"{chain}:{token}" for chain, token in tokens]
        answer = await self._transport.read("GET /v1/prices", models.PriceList, query=query_of({"tokens": named}))
        return answer.prices

    async def pair_price(
        self,
        *,
        origin_chain_id: int,
        destination_chain_id: int,
        origin_currency: str,
        destination_currency: str,
        amount: int,
    ) -> models.PairPrice:
        """Return about what an amount (in the smallest unit) would bring: no quote, and guaranteed by nobody."""
        query = query_of({
            "origin_chain_id": origin_chain_id,
            "destination_chain_id": destination_chain_id,
            "origin_currency": origin_currency,
            "destination_currency": destination_currency,
            "amount": amount,
        })  # fmt: skip
        return await self._transport.read("GET /v1/prices/pair", models.PairPrice, query=query)

    async def ready(self) -> models.Readiness:
        """Return what the service depends on; a ServiceError with 503 says what is down."""
        return await self._transport.once("GET /health/ready", models.Readiness)

    async def signing_keys(self) -> list[dict[str, str]]:
        """Return the public keys by which the service signs answers; NotFound where it signs none."""
        found = await self._transport.read("GET /.well-known/jwks.json", models.SigningKeySet)
        return [each.model_dump() for each in found.keys]

    async def status(self, transaction_id: str) -> models.PublicStatus:
        """Return where a transaction stands; NotFound until it has been seen on its chain."""
        return await self._transport.read(STATUS, models.PublicStatus, checked_id(transaction_id))

    async def explain(self, request_id: str) -> list[models.KeptRequest]:
        """Return why a request for a quote, routes or a step was answered as it was, a second after its answer.

        It must have been asked with a key of the same integrator. There may be several, the newest first, where the
        client chose the ID itself.

        Args:
            request_id: the answer's `X-Request-Id`, an error's ``request_id``, or the answered ``transaction_id``.

        Raises:
            NotFound: nothing is kept of it: it is unknown, too old, or of another integrator.

        """
        answer = await self._transport.read("GET /v1/requests/{requestId}", models.KeptRequests, request_id)
        return answer.requests

    async def follow(self, transaction_id: str, *, within: float | None = None) -> AsyncGenerator[StatusChange, None]:
        """Return each change of a transaction until its end, by the stream of its status.

        It is waited for if it was not seen yet. Where the service has no stream, or none gets through, it is asked
        again and again, less and less often.

        Args:
            transaction_id: of the quote or step.
            within: seconds, give or take a heartbeat of 15; None waits as long as it takes.

        Raises:
            TimedOut: it has not ended by then.

        """
        async with aclosing(AsyncStatusWatch(self._transport, transaction_id, within).changes()) as changes:
            async for change in changes:
                yield change

    async def wait(self, transaction_id: str, *, within: float | None = None) -> models.PublicStatus:
        """Return how a transaction ended; raises as `follow` does."""
        async with aclosing(self.follow(transaction_id, within=within)) as changes:
            async for change in changes:
                if change.is_final:
                    return change.status
        raise TimedOut(f"{transaction_id}: the stream ended before the transaction")


def _streamed_error(data: str) -> ServiceError:
    told = answer_of(QUOTES, models.StandardError, data)
    return service_error(told.status_code, {}, data.encode())
