"""Amounts of records: raw at once, complete when the token is known, shown with the token lists of that moment.

Names are the lists', as they are at the moment of reading; anybody can deploy a token that calls itself USDC. Of one on
no list the chain is believed how many decimals it has, no more: its symbol is its address.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from rhumbline.domain.token import Token
from rhumbline.domain.tracking import FeeSighting, RecordAmount, RecordFee, TokenAmount, UncheckedFee

ListedAt = Callable[[int, str], Token | None]
"""Finds the listed token at an address of a chain, None if it is unlisted."""


def unlisted(chain_id: int, address: str) -> None:
    """Know no list."""


def unchecked_fee(kind: str, fees: Iterable[FeeSighting]) -> UncheckedFee | None:
    """Collect the payments of one kind, until it is known which went to the right wallet; None if there are none.

    The contract takes every fee of one call in the input token.
    """
    paid = [fee for fee in fees if fee.kind == kind]
    return UncheckedFee(paid[0].token, tuple((fee.recipient, fee.amount) for fee in paid)) if paid else None


def checked_fee(fee: UncheckedFee, wallet: str | None) -> RecordAmount | None:
    """Add up the payments to ``wallet`` (canonical); None when nothing went there."""
    total = sum(amount for recipient, amount in fee.paid if recipient == wallet)
    return RecordAmount(fee.address, total) if total else None


def with_token(amount: RecordAmount, token: Token) -> RecordAmount:
    """Complete an amount with its token's metadata; the name of one that is on no list is its address."""
    return replace(amount, symbol=token.symbol if token.listed else token.address, decimals=token.decimals)


def is_complete(amount: RecordFee) -> bool:
    return amount is None or (isinstance(amount, RecordAmount) and amount.decimals is not None)


def token_amount(amount: RecordFee, chain_id: int | None, listed_at: ListedAt) -> TokenAmount | None:
    """Return an amount as a listing shows it, with all its fields; None while one is missing."""
    if not isinstance(amount, RecordAmount) or chain_id is None or amount.decimals is None:
        return None
    listed = listed_at(chain_id, amount.address)
    return TokenAmount(
        chain_id=chain_id,
        address=amount.address,
        symbol=amount.address if listed is None else listed.symbol,
        decimals=amount.decimals if listed is None else listed.decimals,
        raw=amount.raw,
        usd=None if listed is None else amount.usd,
    )
