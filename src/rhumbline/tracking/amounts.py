"""Amounts as a record's columns keep them: raw at once, and complete when the token's metadata is known.

A column holds a JSON object: ``address``, ``raw`` (decimal text, for JSON numbers lose digits), then ``decimals``,
``symbol`` and, where there was a price, ``usd``. A fee column that still waits for its check holds, in place of
``raw``, ``paid``: one ``[recipient, amount]`` for each payment.

Names are the lists', as they are at the moment of reading; anybody can deploy a token that calls itself USDC. Of one on
no list the chain is believed how many decimals it has, no more: its symbol is its address.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

from rhumbline.domain.token import Token
from rhumbline.domain.tracking import FeeSighting, TokenAmount

AmountColumn = dict[str, object]
ListedAt = Callable[[int, str], Token | None]
"""Finds the listed token at an address of a chain; None for one on no list."""


def unlisted(chain_id: int, address: str) -> None:
    """Know no list."""


def raw_amount(address: str, raw: int) -> AmountColumn:
    """Keep an amount whose token is not known yet."""
    return {"address": address, "raw": str(raw)}


def unchecked_fee(kind: str, fees: Iterable[FeeSighting]) -> AmountColumn | None:
    """Keep the payments of one kind, until it is known which went to the right wallet; None when there are none.

    The contract takes every fee of one call in the input token.
    """
    paid = [fee for fee in fees if fee.kind == kind]
    if not paid:
        return None
    return {"address": paid[0].token, "paid": [[fee.recipient, str(fee.amount)] for fee in paid]}


def checked_fee(column: Mapping[str, object], wallet: str | None) -> AmountColumn | None:
    """Add up the payments to ``wallet`` (canonical); None when nothing went there."""
    paid = column.get("paid")
    payments = paid if isinstance(paid, list) else []
    total = sum(int(amount) for recipient, amount in payments if recipient == wallet)
    return raw_amount(str(column["address"]), total) if total else None


def with_token(column: Mapping[str, object], token: Token) -> AmountColumn:
    """Complete an amount with its token's metadata; the name of one that is on no list is its address."""
    return {**column, "symbol": token.symbol if token.listed else token.address, "decimals": token.decimals}


def is_complete(column: Mapping[str, object] | None) -> bool:
    """Tell whether a column needs nothing more."""
    return column is None or "decimals" in column


def token_amount(column: Mapping[str, object] | None, chain_id: int | None, listed_at: ListedAt) -> TokenAmount | None:
    """Read a column for a listing: an amount with all its members, or None as long as one is missing.

    What a token is called, and whether its value is told, is for the lists to say, now.
    """
    if column is None or chain_id is None or "decimals" not in column:
        return None
    address, usd = str(column["address"]), column.get("usd")
    listed = listed_at(chain_id, address)
    return TokenAmount(
        chain_id=chain_id,
        address=address,
        symbol=address if listed is None else listed.symbol,
        decimals=int(str(column["decimals"])) if listed is None else listed.decimals,
        raw=int(str(column["raw"])),
        usd=None if usd is None or listed is None else Decimal(str(usd)),
    )
