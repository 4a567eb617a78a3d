"""What quotes, routes and steps answer, with what a wallet signs."""

from typing import Literal

from rhumbline_client.mcp.results import Result, TokenAmount
from rhumbline_client.mcp.texts import Text, plain


class Fee(Result):
    """One fee."""

    type: Text
    amount: str
    """In whole units of the symbol; in smallest units if the decimals are unknown."""
    symbol: Text
    usd: str | None
    included: bool
    """True: already taken off. False: the wallet pays it beside the amount, as network fees are."""


class WalletTransaction(Result):
    """Something for the wallet to sign and send; this server holds no keys and signs nothing."""

    purpose: Literal["approval", "transaction"]
    chain_id: int
    chain_type: Text
    sender: Text
    """The wallet that signs."""
    to: Text
    """EVM: the called contract. Solana: the main instruction's program, for show."""
    value: str
    """EVM: native amount in wei, hexadecimal. Solana: 0x0."""
    data: str
    """EVM: calldata in hexadecimal. Solana: a whole unsigned transaction (v0) in base64: sign and send it unchanged."""
    gas_limit: str | None
    """EVM, hexadecimal, as the others: the limit that sufficed in a simulation; null for approvals: estimate it."""
    gas_price: str | None
    max_fee_per_gas: str | None
    max_priority_fee_per_gas: str | None


class Trade(Result):
    """An executable trade, or the price of one."""

    adapter: Text
    """The exchange or bridge."""
    transaction_id: str | None
    """For `status`; keep it before the wallet signs. Null if nothing can be signed."""
    input: TokenAmount
    output: TokenAmount
    """The estimate after all fees that are included."""
    minimum: TokenAmount | None
    """The least that arrives: enforced on one chain; across chains guaranteed by the bridge, or refunded."""
    refund_to: Text | None
    """Who gets the tokens back if the bridge fails, if somebody was named; null: as `trust_assumptions` say."""
    price_impact: str | None
    """Share of the value that the trade loses: 0.0012 is 0.12 %."""
    fees: list[Fee]
    fees_usd: str | None
    estimated_seconds: int | None
    """Until arrival, across chains."""
    expires_at: str | None
    """When the transaction must be mined; after that ask again."""
    last_valid_block_height: int | None
    """Solana: above this block height it can never be executed. Before that, do not sign another one instead."""
    simulation: Text | None
    """How the transaction ended when it was tried on the chain's state."""
    transactions: list[WalletTransaction]
    """In this order, each mined before the next is sent. Empty if no sender was named."""
    warnings: list[Text]
    trust_assumptions: list[Text]
    """What nobody enforces, so that somebody has to be trusted for it."""

    def in_words(self) -> str:
        """Return what is traded, and what there is to sign until when."""
        least = "" if self.minimum is None else f", at least {self.minimum.in_words()}"
        first = f"{self.adapter}: {self.input.in_words()} brings about {self.output.in_words()}{least}."
        if not self.transactions:
            return f"{first} Only a price: name `sender` for something to sign."
        until = "" if self.expires_at is None else f" until {self.expires_at}"
        return (
            f"{first} The wallet signs and sends {len(self.transactions)} transaction(s) in order{until}; "
            f"then ask `status` for {self.transaction_id}."
        )


class PlannedStep(Result):
    """One transaction of a route, not made yet."""

    step_id: str | None
    """For `step`, when its turn comes. Null if no sender was named."""
    type: Text
    """swap, or bridge."""
    tool: Text
    input: TokenAmount
    output: TokenAmount
    """An estimate."""
    minimum: TokenAmount
    signer: Text | None
    """The wallet that signs it."""
    needs_received_amount: bool
    """Whether `step` needs what the step before delivered."""


class Route(Result):
    """A way to trade, in one or more transactions."""

    tags: list[Text]
    """RECOMMENDED, CHEAPEST, FASTEST: the orders in which no route found is better."""
    input: TokenAmount
    output: TokenAmount
    minimum: TokenAmount
    price_impact: str | None
    fees_usd: str | None
    estimated_seconds: int | None
    steps: list[PlannedStep]
    trust_assumptions: list[Text]

    def in_words(self) -> str:
        """Return its tools and what it brings."""
        tools = " then ".join(each.tool for each in self.steps)
        return f"{tools}: about {self.output.in_words()}, at least {self.minimum.in_words()}"


class Routes(Result):
    """Routes, the best first."""

    routes: list[Route]

    def in_words(self) -> str:
        """Return the first few routes."""
        return f"{len(self.routes)} routes. " + "; ".join(each.in_words() for each in self.routes[:3])


def sentences(texts: list[str] | None) -> list[str]:
    """Return a few sentences of others."""
    return [plain(each, 300) for each in (texts or [])[:10]]
