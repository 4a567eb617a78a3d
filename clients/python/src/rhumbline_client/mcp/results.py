"""What tools answer: the fields with their words, which make the output schemas, and one sentence about each answer."""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from rhumbline_client.mcp.amounts import written_of
from rhumbline_client.mcp.texts import Text


class Result(BaseModel):
    """An answer of a tool."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    def in_words(self) -> str:
        """Return the answer in a sentence or two."""
        return ""


class TokenAmount(Result):
    """An amount of a token."""

    amount: str
    """In whole tokens, exact: 1.5."""
    symbol: Text
    units: str
    """The same in the token's smallest unit, as contracts take it."""
    decimals: int
    chain_id: int
    address: Text
    """The token's address; the native asset's marker."""

    @classmethod
    def of(cls, units: int, token: Any) -> Self:
        """Return an amount of what has a token's fields."""
        return cls(
            amount=written_of(units, token.decimals),
            symbol=token.symbol,
            units=str(units),
            decimals=token.decimals,
            chain_id=token.chain_id,
            address=token.address,
        )

    def in_words(self) -> str:
        """Return amount and symbol."""
        return f"{self.amount} {self.symbol}"


class ChainFound(Result):
    """A chain."""

    id: int
    key: Text
    name: Text
    type: Text
    """EVM, or SVM for Solana."""
    served: bool
    """Whether it can be paid from. Any other can be the end of a transfer."""
    mainnet: bool
    native_symbol: Text
    native_address: Text
    """What stands for the native asset where a token's address is asked for."""


class Chains(Result):
    """The chains that the service knows."""

    chains: list[ChainFound]

    def in_words(self) -> str:
        """Return how many there are, and the keys of those that can be paid from."""
        served = ", ".join(each.key for each in self.chains if each.served)
        return f"{len(self.chains)} chains; these can be paid from: {served or 'none'}."


class TokenFound(Result):
    """A token."""

    chain_id: int
    chain: Text
    """The chain's key."""
    address: Text
    symbol: Text
    """Chosen by the token's maker, as its name is: other tokens may have the same."""
    name: Text
    decimals: int
    listed: bool
    """Whether the service's lists have it. Of an unlisted token only its contract tells what it is called."""
    price_usd: str | None
    """Price of one whole token in USD, as it was cached; null if unknown."""


class Tokens(Result):
    """Tokens that match."""

    tokens: list[TokenFound]
    """Those whose symbol is what was searched come first."""
    found: int
    """How many match in all."""

    def in_words(self) -> str:
        """Return how many match, and the first few."""
        few = "; ".join(f"{each.symbol} on {each.chain} is {each.address}" for each in self.tokens[:5])
        return f"{self.found} tokens match, {len(self.tokens)} are answered. {few}".strip()


class Price(Result):
    """What a token is worth."""

    token: TokenFound
    price_usd: str | None
    """USD for one whole token, to show; what a trade brings is in a quote. Null if unknown."""
    source: Text | None
    updated_at: str | None
    stale: bool
    """Whether it is older than it should be."""

    def in_words(self) -> str:
        """Return the price."""
        worth = "no known price" if self.price_usd is None else f"{self.price_usd} USD"
        return f"1 {self.token.symbol} on {self.token.chain} ({self.token.address}): {worth}."


class TransactionStatus(Result):
    """Where a transaction stands."""

    transaction_id: str
    status: Text
    """not_seen: not on its chain yet as far as the service has read, or never sent, or reverted. bridge_pending,
    refund_pending: not over. success; recovered: arrived as another token; refunded; bridge_failed; unknown."""
    final: bool
    """Whether nothing more is to be expected."""
    substatus: Text | None
    """The bridge's own term, for people."""
    source_hash: Text | None
    destination_hash: Text | None
    received: TokenAmount | None
    """What arrived or came back; null until it is known."""
    refund_to: Text | None
    """Who was named for what comes back; null: nobody."""
    updated_at: str | None

    def in_words(self) -> str:
        """Return the status and what arrived."""
        if self.status == "not_seen":
            return (
                "Not seen yet. If it was sent, ask again in a few seconds; it may still be executed, so do not sign "
                "another one instead. A swap that reverted on its chain stays not seen: its receipt says so."
            )
        arrived = "" if self.received is None else f", {self.received.in_words()} arrived"
        return f"{self.status}{arrived}{'' if self.final else ': not over yet'}."


class Record(Result):
    """A transaction that was executed with this server's key."""

    transaction_id: str | None
    status: Text
    substatus: Text | None
    route_type: Text
    protocol: Text
    from_chain_id: int
    to_chain_id: int | None
    source_hash: Text
    destination_hash: Text | None
    sender: Text | None
    receiver: Text | None
    input: TokenAmount | None
    output: TokenAmount | None
    at: str
    """When its block was made on the source chain."""


class Records(Result):
    """A page of transactions, the newest first."""

    transactions: list[Record]
    next_cursor: str | None
    """For the next page, with the same filters; null on the last one."""

    def in_words(self) -> str:
        """Return how many there are."""
        more = "" if self.next_cursor is None else " There are more: give next_cursor as cursor."
        return f"{len(self.transactions)} transactions.{more}"
