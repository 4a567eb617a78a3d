"""The accounts: who a key belongs to, and everything an operator does with integrators and keys."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts import integrator_store, key_store
from rhumbline.accounts.integrators import canonical_wallet, is_name, name_faults, rule_faults
from rhumbline.accounts.key_uses import is_due, note_use
from rhumbline.accounts.keys import digest, is_key, key_name_faults, new_key, prefix
from rhumbline.accounts.rate_limits import limit_faults
from rhumbline.accounts.ttl_cache import TtlCache
from rhumbline.domain.account import ApiClient, ApiKey, Integrator
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.fee import FeeRule
from rhumbline.gateways.postgres.failures import store_access

LONGEST_OVERLAP_S = 30 * 86_400
MOST_KEYS_OF_AN_OWNER = 40
# Half of the second within which every process is to notice a change.
_AGE_S = 0.5
_SIZE = 10_000
_PATIENCE_S = 5.0
"""How long a silent store is awaited for what a request needs to know of its caller."""
_NOBODY = ApiClient()
_INVALID = ApiClient(key_invalid=True)


@dataclass(frozen=True, slots=True)
class Accounts:
    """Reads and changes accounts in the store; reads may be half a second old.

    All methods raise StoreUnavailable when the store cannot be reached, InvalidRequest for bad input (each fault names
    its field), and NotFound for an integrator or a key that does not exist. ``seconds`` tells how old reads are.
    """

    engine: AsyncEngine
    clock: Clock
    seconds: Callable[[], float] = time.monotonic
    _known: TtlCache[ApiClient] = field(init=False, repr=False)
    _named: TtlCache[Integrator | None] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", TtlCache(_AGE_S, _SIZE, self.seconds))
        object.__setattr__(self, "_named", TtlCache(_AGE_S, _SIZE, self.seconds))

    async def caller(self, key_text: str | None) -> ApiClient:
        """Return who makes a request with this key. A malformed, unknown or ended key counts as none, and is marked."""
        if key_text is None:
            return _NOBODY
        if not is_key(key_text):
            return _INVALID
        known_as = digest(key_text)

        async def ask() -> ApiClient:
            async with self._reading() as connection:
                found = await key_store.find_caller(connection, known_as)
            if found is None:
                return _INVALID
            caller, noted = found
            if is_due(noted, now := self.clock()):
                await note_use(self.engine, known_as, now)
            return caller

        return await self._known.get(known_as, ask)

    def known_caller(self, key_text: str | None) -> ApiClient | None:
        """Return what ``caller`` would without asking the store, None when it has to be asked; never raises."""
        if key_text is None:
            return _NOBODY
        return self._known.known(digest(key_text)) if is_key(key_text) else _INVALID

    async def integrator(self, name: str) -> Integrator | None:
        """Return an integrator by its name, in whatever case, None when there is none."""
        if not is_name(name):
            return None

        async def ask() -> Integrator | None:
            async with self._reading() as connection:
                return await integrator_store.find_integrator(connection, name)

        return await self._named.get(name.lower(), ask)

    async def list_integrators(self) -> tuple[Integrator, ...]:
        async with self._reading() as connection:
            return await integrator_store.all_integrators(connection)

    async def create_integrator(self, name: str, evm_wallet: str | None, svm_wallet: str | None) -> Integrator:
        """Register an integrator; its name must be free, in whatever case."""
        integrator = self._candidate(name, evm_wallet, svm_wallet)
        async with self._change() as connection:
            if not await integrator_store.add_integrator(connection, integrator):
                raise InvalidRequest([f"integrator: {name} is taken; choose another name"])
        return integrator

    async def ensure_integrator(self, name: str, evm_wallet: str | None, svm_wallet: str | None) -> Integrator:
        """Register an integrator, or set the wallets of the one that has the name; None leaves a wallet as it is."""
        candidate = self._candidate(name, evm_wallet, svm_wallet)
        async with self._change() as connection:
            if not await integrator_store.add_integrator(connection, candidate):
                for chain_type in ChainType:
                    if candidate.wallet(chain_type) is not None:
                        await integrator_store.set_wallet(connection, name, chain_type, candidate.wallet(chain_type))
            return await _find(connection, name)

    async def set_wallet(self, name: str, chain_type: ChainType, address: str | None) -> Integrator:
        """Set an integrator's fee wallet on a chain type; None removes it."""
        return await self.set_wallets(name, {chain_type: address})

    async def set_wallets(self, name: str, addresses: Mapping[ChainType, str | None]) -> Integrator:
        """Set an integrator's fee wallets on the chain types that are named, all or none; None removes one."""
        read = {chain_type: canonical_wallet(chain_type, address) for chain_type, address in addresses.items()}
        if faults := [fault for _, found in read.values() for fault in found]:
            raise InvalidRequest(faults)
        async with self._change() as connection:
            integrator = await _find(connection, name)
            for chain_type, (wallet, _) in read.items():
                await integrator_store.set_wallet(connection, integrator.name, chain_type, wallet)
            return await _find(connection, name)

    async def rule(self, name: str) -> FeeRule | None:
        """Return an integrator's own fee rule, None when the service's default holds for it."""
        async with self._reading() as connection:
            integrator = await _find(connection, name)
            return await integrator_store.find_rule(connection, integrator.name)

    async def set_rule(self, name: str, rule: FeeRule | None) -> None:
        """Give an integrator a fee rule of its own; None returns it to the service's default."""
        if faults := (() if rule is None else rule_faults(rule)):
            raise InvalidRequest(faults)
        async with self._change() as connection:
            integrator = await _find(connection, name)
            await integrator_store.set_rule(connection, integrator.name, rule)

    async def create_key(
        self, integrator: str, most: int | None = None, name: str | None = None, owner: str | None = None
    ) -> tuple[ApiKey, str]:
        """Make a key; its text is returned here and never again. With ``most``, no more live keys than that.

        ``owner`` is the wallet that makes it in the portal, None for the operator.
        """
        if faults := key_name_faults(name):
            raise InvalidRequest(faults)
        async with self._change() as connection:
            registered = await _find(connection, integrator)
            await _keep_room(connection, registered.name, most, "revoke one that is not needed first")
            if owner is not None:
                await _keep_owners_room(connection, owner)
            return await self._add_key(
                connection, ApiKey(0, registered.name, "", self.clock(), None, name=name, owner=owner)
            )

    async def name_key(self, key_id: int, name: str | None) -> ApiKey:
        """Call a key something, for people; None for nothing. A rotation keeps it."""
        if faults := key_name_faults(name):
            raise InvalidRequest(faults)
        async with self._change() as connection:
            key = await key_store.set_name(connection, key_id, name) if _may_exist(key_id) else None
            if key is None:
                raise _no_key(key_id)
            return key

    async def list_keys(self, integrator: str | None = None) -> tuple[ApiKey, ...]:
        """Return an integrator's keys, or everybody's, oldest first, the ended ones included."""
        async with self._reading() as connection:
            if integrator is not None:
                integrator = (await _find(connection, integrator)).name
            return await key_store.keys_of(connection, integrator)

    async def revoke_key(self, key_id: int) -> ApiKey:
        """End a key now, in every process within a second. To revoke it again changes nothing."""
        async with self._change() as connection:
            key = await key_store.end_key(connection, key_id) if _may_exist(key_id) else None
            if key is None:
                raise _no_key(key_id)
            return key

    async def rotate_key(self, key_id: int, overlap_s: int, most: int | None = None) -> tuple[ApiKey, str]:
        """Make a new key in a key's place, which ends `overlap_s` seconds later; ``most`` bounds the live ones."""
        if not 0 <= overlap_s <= LONGEST_OVERLAP_S:
            raise InvalidRequest([f"overlap: must be between 0 and {LONGEST_OVERLAP_S} seconds (30 days)"])
        if not _may_exist(key_id):
            raise _no_key(key_id)
        async with self._change() as connection:
            old = await key_store.end_key_later(connection, key_id, timedelta(seconds=overlap_s))
            if old is None and not await key_store.key_exists(connection, key_id):
                raise _no_key(key_id)
            if old is None:
                raise InvalidRequest(
                    [f"key: {key_id} is revoked or replaced already; rotate a newer one, or create one"]
                )
            remedy = "have the old one end at once, or revoke one that is not needed first"
            await _keep_room(connection, old.integrator, most, remedy)
            if old.owner is not None:
                await _keep_owners_room(connection, old.owner)
            return await self._add_key(connection, replace(old, counted_as=old.counted_as or old.id))

    async def set_limits(self, key_id: int, quote_limit: int | None, other_limit: int | None) -> ApiKey:
        """Give a key limits of its own, in requests a minute; None returns it to the tier's. A rotation keeps them."""
        if faults := limit_faults(quote_limit, other_limit):
            raise InvalidRequest(faults)
        async with self._change() as connection:
            key = (
                await key_store.set_limits(connection, key_id, quote_limit, other_limit) if _may_exist(key_id) else None
            )
            if key is None:
                raise _no_key(key_id)
            return key

    async def key_rule(self, key_id: int) -> FeeRule | None:
        """Return the fee rule that holds for a key: its own, else its integrator's; None for the service's default."""
        async with self._reading() as connection:
            key = await key_store.find_key(connection, key_id) if _may_exist(key_id) else None
            if key is None:
                raise _no_key(key_id)
            return key.rule or await integrator_store.find_rule(connection, key.integrator)

    async def set_key_rule(self, key_id: int, rule: FeeRule | None) -> ApiKey:
        """Give a key a fee rule of its own; None returns it to its integrator's. A rotation keeps it."""
        if faults := (() if rule is None else rule_faults(rule)):
            raise InvalidRequest(faults)
        async with self._change() as connection:
            key = await key_store.set_key_rule(connection, key_id, rule) if _may_exist(key_id) else None
            if key is None:
                raise _no_key(key_id)
            return key

    def _candidate(self, name: str, evm_wallet: str | None, svm_wallet: str | None) -> Integrator:
        evm, evm_faults = canonical_wallet(ChainType.EVM, evm_wallet)
        svm, svm_faults = canonical_wallet(ChainType.SVM, svm_wallet)
        if faults := (*name_faults(name), *evm_faults, *svm_faults):
            raise InvalidRequest(faults)
        return Integrator(name, evm, svm, self.clock())

    async def _add_key(self, connection: AsyncConnection, like: ApiKey) -> tuple[ApiKey, str]:
        """Add a new key that is like another one in all that is not its own."""
        text = new_key()
        like = replace(like, prefix=prefix(text), created_at=self.clock())
        return await key_store.add_key(connection, digest(text), like), text

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        """Connect without a transaction: one round trip a statement instead of three. A request waits for it."""
        with store_access():
            async with (
                asyncio.timeout(_PATIENCE_S),
                self.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection,
            ):
                yield connection

    @asynccontextmanager
    async def _change(self) -> AsyncIterator[AsyncConnection]:
        try:
            with store_access():
                async with self.engine.begin() as connection:
                    yield connection
        finally:
            # After the commit, so that nothing read before it is kept.
            self._known.forget()
            self._named.forget()


async def _find(connection: AsyncConnection, name: str) -> Integrator:
    integrator = await integrator_store.find_integrator(connection, name) if is_name(name) else None
    if integrator is None:
        raise NotFound(f"integrator: there is none named {name!r}; register it first")
    return integrator


async def _keep_room(connection: AsyncConnection, integrator: str, most: int | None, remedy: str) -> None:
    """Raise InvalidRequest when one key more would be too many; the count holds until the transaction ends."""
    if most is None:
        return
    await key_store.in_turn(connection, integrator)
    if await key_store.live_keys(connection, integrator) >= most:
        raise InvalidRequest([f"key: {most} keys are live, those that end later included: {remedy}"])


async def _keep_owners_room(connection: AsyncConnection, owner: str) -> None:
    """Raise InvalidRequest when an owner has as many live keys as one may have, whatever they are for."""
    await key_store.in_turn(connection, owner)
    if await key_store.live_keys_made_by(connection, owner) >= MOST_KEYS_OF_AN_OWNER:
        raise InvalidRequest([f"key: {MOST_KEYS_OF_AN_OWNER} keys that you made are live: revoke one first"])


def _may_exist(key_id: int) -> bool:
    """Tell whether a number fits the column; the driver refuses others."""
    return 0 < key_id < 2**63


def _no_key(key_id: int) -> NotFound:
    return NotFound(f"key: there is none with the number {key_id}; see the list of keys")
