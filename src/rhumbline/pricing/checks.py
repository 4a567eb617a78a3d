"""Which tokens' prices were asked for when, so that of several processes one asks and all have what it found.

A process claims tokens before it asks; others wait, and take over what was found. A claim that was not settled, because
its process is gone, runs out.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.price import PriceKey
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.pricing.store import StoredPrice, kept_price

CLAIMED_FOR = timedelta(seconds=15)
"""A longer round may be asked again by another process: by one that died, hot prices must not become stale."""
# Whoever comes second to a token waits for the first one's row, and then finds it claimed, or checked since it looked.
_CLAIM = text("""
    WITH wanted AS (
        SELECT * FROM unnest(CAST(:chains AS bigint[]), CAST(:tokens AS text[]), CAST(:seen AS timestamptz[]))
            AS given (chain_id, token, seen)
    ), free AS (
        SELECT wanted.chain_id, wanted.token, had.checked_at FROM wanted
        LEFT JOIN price_checks AS had ON had.chain_id = wanted.chain_id AND had.token = wanted.token
        WHERE had.token IS NULL
            OR had.claimed_until <= :now AND (had.checked_at IS NULL OR had.checked_at <= wanted.seen)
    )
    INSERT INTO price_checks (chain_id, token, claimed_until, checked_at)
    SELECT chain_id, token, CAST(:until AS timestamptz), checked_at FROM free ORDER BY chain_id, token
    ON CONFLICT (chain_id, token) DO UPDATE SET claimed_until = excluded.claimed_until
        WHERE price_checks.claimed_until <= :now AND price_checks.checked_at IS NOT DISTINCT FROM excluded.checked_at
    RETURNING chain_id, token
""")
_SETTLE = text("""
    UPDATE price_checks SET claimed_until = given.again, is_known = given.is_known,
        checked_at = coalesce(given.checked_at, price_checks.checked_at)
    FROM unnest(CAST(:chains AS bigint[]), CAST(:tokens AS text[]), CAST(:agains AS timestamptz[]),
        CAST(:checked AS timestamptz[]), CAST(:known AS boolean[]))
        AS given (chain_id, token, again, checked_at, is_known)
    WHERE price_checks.chain_id = given.chain_id AND price_checks.token = given.token
""")
_FOUND = text("""
    SELECT checks.chain_id, checks.token, checks.claimed_until, checks.checked_at, checks.is_known,
        usd, source, updated_at, doubted_at, agreeing
    FROM unnest(CAST(:chains AS bigint[]), CAST(:tokens AS text[])) AS given (chain_id, token)
    JOIN price_checks AS checks ON checks.chain_id = given.chain_id AND checks.token = given.token
    LEFT JOIN prices ON prices.chain_id = given.chain_id AND prices.token = given.token
""")
_FORGET = text("DELETE FROM price_checks WHERE greatest(claimed_until, checked_at) < :before")
_BEGINNING = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class PriceCheck:
    """When sources were last asked for a token's price, by whichever process: they answered at ``checked_at``.

    Until ``claimed_until`` nobody else asks. ``is_known`` says whether any source knew the token; ``price`` is the last
    accepted one, whenever that was.
    """

    claimed_until: datetime
    checked_at: datetime | None
    is_known: bool
    price: StoredPrice | None = None


@dataclass(frozen=True, slots=True)
class PriceChecks:
    """The table of checks. Times are given, by the clock that all processes share; all raise StoreUnavailable."""

    engine: AsyncEngine

    async def claim(self, tokens: Mapping[PriceKey, datetime | None], now: datetime) -> frozenset[PriceKey]:
        """Return the tokens that this process is to ask for.

        Given is for each when it was checked as far as this process knows: what was checked later is not asked again.
        """
        given = {**_columns(tokens), "seen": [seen or _BEGINNING for seen in tokens.values()]}
        with store_access():
            async with self.engine.begin() as connection:
                rows = (await connection.execute(_CLAIM, {**given, "now": now, "until": now + CLAIMED_FOR})).all()
        return frozenset((chain_id, token) for chain_id, token in rows)

    async def settle(self, checks: Mapping[PriceKey, PriceCheck]) -> None:
        """Note what came of what was claimed; without ``checked_at`` no source answered."""
        ordered = dict(sorted(checks.items()))
        given = {
            **_columns(ordered),
            "agains": [check.claimed_until for check in ordered.values()],
            "checked": [check.checked_at for check in ordered.values()],
            "known": [check.is_known for check in ordered.values()],
        }
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(_SETTLE, given)

    async def found(self, tokens: Collection[PriceKey]) -> Mapping[PriceKey, PriceCheck]:
        """Return what is known of tokens' checks."""
        with store_access():
            async with self.engine.connect() as connection:
                rows = (await connection.execute(_FOUND, _columns(tokens))).all()
        return {
            (row.chain_id, row.token): PriceCheck(
                row.claimed_until, row.checked_at, row.is_known, None if row.usd is None else kept_price(row)
            )
            for row in rows
        }

    async def forget(self, before: datetime) -> None:
        """Drop checks of before a time."""
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(_FORGET, {"before": before})


def _columns(tokens: Collection[PriceKey]) -> dict[str, list[int] | list[str]]:
    return {"chains": [chain_id for chain_id, _ in tokens], "tokens": [token for _, token in tokens]}
