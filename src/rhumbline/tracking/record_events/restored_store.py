"""Notices that a store was restored, and begins the numbers of events anew, far above all that were given before.

A dump has the number of its last event. What happened after the dump had higher numbers, which readers of streams and
receivers of webhooks know. If they were given again, to other events, a reader that goes on after one would miss those
up to there, and a receiver would take a message for one that it has. So they are left out, and every reader that comes
back is told of a gap once.
"""

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.failures import unavailable

APART = 1_000_000_000
"""Numbers begin at the next multiple: more than the events that can have been lost."""
# A dump is loaded into tables that are made, with OIDs of their own; a server restored from a base backup and its log,
# or a stand-by that took over, goes on in a new timeline.
_IDENTITY = text("""
    SELECT concat_ws(' ', 'store', (SELECT system_identifier FROM pg_control_system()),
        left(pg_walfile_name(pg_current_wal_lsn()), 8), 'events'::regclass::oid)
""")
_KNOWN = text("SELECT count(*) FROM event_cursors WHERE name LIKE 'store %'")
_NOTE = text("""
    INSERT INTO event_cursors SELECT :identity, CASE WHEN is_called THEN last_value ELSE 0 END FROM event_numbers
    ON CONFLICT (name) DO NOTHING RETURNING name
""")
_BEGIN_ANEW = text("SELECT setval('event_numbers', (last_value / :apart + 1) * :apart) FROM event_numbers")
_GAP = text("""
    INSERT INTO event_cursors VALUES ('forgotten', :number)
    ON CONFLICT (name) DO UPDATE SET number = greatest(event_cursors.number, excluded.number)
""")
_FORMER = text("DELETE FROM event_cursors WHERE name LIKE 'store %' AND name <> :identity")


async def notice_restoration(engine: AsyncEngine) -> int | None:
    """Return the number after which those of new events begin, if the store was restored since the last call.

    The first call on a store only remembers which it is. Database errors are raised, but for a server that does not
    tell which it is: there nothing is noticed.
    """
    async with engine.begin() as connection:
        known = (await connection.execute(_KNOWN)).scalar_one() > 0
        try:
            async with connection.begin_nested():
                given = {"identity": (await connection.execute(_IDENTITY)).scalar_one()}
        except DBAPIError as error:
            if unavailable(error):
                raise
            return None
        # Of several processes that start at once, one goes on: the others wait for it here.
        is_first = (await connection.execute(_NOTE, given)).one_or_none() is not None
        if not is_first or not known:
            return None
        number = int((await connection.execute(_BEGIN_ANEW, {"apart": APART})).scalar_one())
        await connection.execute(_GAP, {"number": number})
        await connection.execute(_FORMER, given)
    return number
