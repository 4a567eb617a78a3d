"""Changes of keys within a transaction: room for new ones, rotation, and a line of the audit log for each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.accounts import key_store
from rhumbline.accounts.audit_log import Action, Deed, note
from rhumbline.accounts.key_terms import in_words
from rhumbline.accounts.keys import digest, new_key, prefix
from rhumbline.domain.account import ApiKey
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.operator import Operator
from rhumbline.domain.sentence import Sentence

LONGEST_OVERLAP_S = 30 * 86_400
MOST_KEYS_OF_AN_OWNER = 40


@dataclass(frozen=True, slots=True)
class KeyChanges:
    """Changes that are made ``at`` a time by a wallet, or by ``operator`` (None), all in one transaction."""

    connection: AsyncConnection
    at: datetime
    by: str | None
    operator: Operator | None = None

    async def create(self, like: ApiKey, most: int | None) -> tuple[ApiKey, str]:
        """Add a key that is ``like`` one in all that is not its own; raise InvalidRequest where there is no room.

        With ``most``, its integrator has no more live keys than that.
        """
        await self._keep_room(like.integrator, most, "revoke an unneeded key first")
        if like.owner is not None:
            await self._keep_owners_room(like.owner)
        key, text = await self._add(like)
        end = "" if key.expires_at is None else f", until {key.expires_at:%Y-%m-%d %H:%M UTC}"
        await self._note(key, Action.KEY_CREATED, f"{in_words(key.terms)}{end}")
        return key, text

    async def rotate(self, key_id: int, overlap_s: int, most: int | None) -> tuple[ApiKey, str]:
        """Add a key in another's place, which ends ``overlap_s`` seconds later.

        Raise InvalidRequest for an impossible overlap, for a key whose end is set, and where there is no room;
        NotFound for none.
        """
        if not 0 <= overlap_s <= LONGEST_OVERLAP_S:
            raise InvalidRequest([f"overlap: must be between 0 and {LONGEST_OVERLAP_S} seconds (30 days)"])
        await self.known(key_id)
        old = await key_store.end_key_later(self.connection, key_id, timedelta(seconds=overlap_s))
        if old is None:
            raise InvalidRequest(
                [Sentence("key: %(key)s is already revoked or replaced; rotate a newer key, or create one", key=key_id)]
            )
        remedy = Sentence("let the old key expire at once, or revoke an unneeded key first")
        await self._keep_room(old.integrator, most, remedy)
        if old.owner is not None:
            await self._keep_owners_room(old.owner)
        key, text = await self._add(replace(old, counted_as=old.counted_as or old.id))
        await self._note(old, Action.KEY_ROTATED, f"replaced by {name_of(key)}, ends in {overlap_s} s")
        return key, text

    async def revoke(self, key_id: int) -> ApiKey:
        """End a key now; one that has ended already stays as it is. Raise NotFound."""
        before = await self.known(key_id)
        key = await key_store.end_key(self.connection, key_id)
        if key is not None and key.revoked_at != before.revoked_at:
            await self._note(key, Action.KEY_REVOKED, "")
        return key or before

    async def change(self, key_id: int, values: Mapping[str, object], action: Action, detail: str) -> ApiKey:
        """Set columns of a key; raise NotFound."""
        before = await self.known(key_id)
        key = await key_store.change_key(self.connection, key_id, values) or before
        if key != before:
            await self._note(key, action, detail)
        return key

    async def known(self, key_id: int) -> ApiKey:
        """Return a key by its number; raise NotFound."""
        # The driver refuses numbers that do not fit the column.
        key = await key_store.find_key(self.connection, key_id) if 0 < key_id < 2**63 else None
        if key is None:
            raise NotFound(Sentence("key: there is no key with the number %(key)s; see the list of keys", key=key_id))
        return key

    async def _add(self, like: ApiKey) -> tuple[ApiKey, str]:
        text = new_key(in_browsers=like.terms.in_browsers)
        like = replace(like, prefix=prefix(text), created_at=self.at)
        return await key_store.add_key(self.connection, digest(text), like), text

    async def _keep_room(self, integrator: str, most: int | None, remedy: str) -> None:
        """Raise InvalidRequest if one more key would be too many; the count holds until the transaction ends."""
        if most is None:
            return
        await key_store.in_turn(self.connection, integrator)
        if await key_store.live_keys(self.connection, integrator) >= most:
            raise InvalidRequest(
                [
                    Sentence(
                        "key: %(most)s keys are valid, including those that expire later: %(remedy)s",
                        most=most,
                        remedy=remedy,
                    )
                ]
            )

    async def _keep_owners_room(self, owner: str) -> None:
        """Raise InvalidRequest when an owner has as many live keys as one may have, whatever they are for."""
        await key_store.in_turn(self.connection, owner)
        if await key_store.live_keys_made_by(self.connection, owner) >= MOST_KEYS_OF_AN_OWNER:
            raise InvalidRequest(
                [Sentence("key: %(most)s keys that you made are valid: revoke one first", most=MOST_KEYS_OF_AN_OWNER)]
            )

    async def _note(self, key: ApiKey, action: Action, detail: str) -> None:
        told = f"{name_of(key)}: {detail}" if detail else name_of(key)
        await note(self.connection, key.integrator, self.at, Deed(self.by, action, told, self.operator))


def name_of(key: ApiKey) -> str:
    """Name a key in a text: its number, its visible start, and what people call it."""
    called = "" if key.name is None else f" “{key.name}”"
    return f"key {key.id} ({key.prefix}…){called}"
