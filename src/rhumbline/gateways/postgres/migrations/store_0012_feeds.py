"""Every combination of a listing's filters has an index that holds its records in the order of the listing.

Four filters make sixteen combinations. There are few kinds of route, so a listing without one merges a walk for each,
and eight indexes beside the one without filters are enough: the kind of route with each choice of status, source and
destination. Each indexes one text made of all that is asked for, so that the database has no other index to choose
for it, whatever it believes of how the columns depend on each other. Those of before knew some combinations only, and a
page of another one read all that matched a part of it.
"""

from itertools import combinations

from alembic import op

revision = "feeds"
down_revision = "proofs"

_OUTDATED = ("route_feed", "status_feed", "chain_feed", "status_chain_feed", "dest_feed", "chains_feed")
_PARTS = (("status", "status"), ("source", "source_chain_id::text"), ("dest", "dest_chain_id::text"))


def upgrade() -> None:
    for count in range(len(_PARTS) + 1):
        for parts in combinations(_PARTS, count):
            name = "_".join(("transactions_by_route", *(named for named, _ in parts)))
            key = " || ' ' || ".join(("route_type", *(column for _, column in parts), "integrator"))
            op.execute(f'CREATE INDEX {name} ON transactions ((({key}) COLLATE "C"), source_time DESC, id DESC)')
    for outdated in _OUTDATED:
        op.execute(f"DROP INDEX transactions_{outdated}")
