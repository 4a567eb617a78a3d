"""The accounts: who a key belongs to, and everything an operator does with integrators and keys."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts import integrator_store, key_store
from rhumbline.accounts.audit_log import Action, Deed, note
from rhumbline.accounts.integrators import canonical_wallet, is_name, name_faults, rule_faults, told_rule
from rhumbline.accounts.key_changes import KeyChanges
from rhumbline.accounts.key_terms import in_words
from rhumbline.accounts.key_uses import is_due, note_use
from rhumbline.accounts.keys import digest, is_key, key_name_faults
from rhumbline.accounts.rate_limits import limit_faults
from rhumbline.accounts.ttl_cache import TtlCache
from rhumbline.domain.account import UNRESTRICTED, ApiClient, ApiKey, Integrator, KeyTerms
from rhumbline.domain.chain import ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.fee import FeeRule
from rhumbline.domain.operator import Operator
from rhumbline.domain.sentence import Sentence
from rhumbline.gateways.postgres.failures import store_access

# Half of the second within which every process is to notice a change.
_AGE_S = 0.5
_SIZE = 10_000
_PATIENCE_S = 5.0
"""How long a request waits for a silent store to identify its caller."""
_NOBODY = ApiClient()
_INVALID = ApiClient(key_invalid=True)


@dataclass(frozen=True, slots=True)
class Accounts:
    """Reads and changes accounts in the store; reads may be half a second old.

    All methods raise StoreUnavailable when the store cannot be reached, InvalidRequest for bad input (each fault names
    its field), and NotFound for an integrator or a key that does not exist. ``seconds`` tells how old reads are. Each
    change is in the audit log: ``by`` is the wallet that makes it, None for ``operator``.
    """

    engine: AsyncEngine
    clock: Clock
    seconds: Callable[[], float] = time.monotonic
    operator: Operator | None = None
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
        """Return the result of ``caller`` without the store, None if the store is needed; never raises."""
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
            await self._note(connection, name, Deed(None, Action.REGISTERED, ""))
        return integrator

    async def ensure_integrator(self, name: str, evm_wallet: str | None, svm_wallet: str | None) -> Integrator:
        """Register an integrator, or set the wallets of the one that has the name; None leaves a wallet as it is."""
        candidate = self._candidate(name, evm_wallet, svm_wallet)
        async with self._change() as connection:
            if await integrator_store.add_integrator(connection, candidate):
                await self._note(connection, name, Deed(None, Action.REGISTERED, ""))
            else:
                for chain_type in ChainType:
                    if candidate.wallet(chain_type) is not None:
                        await self._set_wallet(connection, name, chain_type, candidate.wallet(chain_type), None)
            return await _find(connection, name)

    async def set_wallet(
        self, name: str, chain_type: ChainType, address: str | None, by: str | None = None
    ) -> Integrator:
        """Set an integrator's fee wallet on a chain type; None removes it."""
        return await self.set_wallets(name, {chain_type: address}, by)

    async def set_wallets(
        self, name: str, addresses: Mapping[ChainType, str | None], by: str | None = None
    ) -> Integrator:
        """Set an integrator's fee wallets on the chain types that are named, all or none; None removes one."""
        read = {chain_type: canonical_wallet(chain_type, address) for chain_type, address in addresses.items()}
        if faults := [fault for _, found in read.values() for fault in found]:
            raise InvalidRequest(faults)
        async with self._change() as connection:
            integrator = await _find(connection, name)
            for chain_type, (wallet, _) in read.items():
                await self._set_wallet(connection, integrator.name, chain_type, wallet, by)
            return await _find(connection, name)

    async def rule(self, name: str) -> FeeRule | None:
        """Return an integrator's own fee rule, None if the service's default applies."""
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
            await self._note(connection, integrator.name, Deed(None, Action.RULE_SET, told_rule(rule)))

    async def create_key(
        self,
        integrator: str,
        most: int | None = None,
        name: str | None = None,
        owner: str | None = None,
        terms: KeyTerms = UNRESTRICTED,
        expires_at: datetime | None = None,
    ) -> tuple[ApiKey, str]:
        """Make a key; its text is returned here and never again. With ``most``, no more live keys than that.

        ``owner`` is the wallet that makes it in the portal, None for the operator. ``terms`` say what it is for, and
        whether it may stand in a page; it ends at ``expires_at`` at the latest.
        """
        if faults := key_name_faults(name):
            raise InvalidRequest(faults)
        async with self._change() as connection:
            registered = await _find(connection, integrator)
            like = ApiKey(
                0, registered.name, "", self.clock(), None, name=name, owner=owner, terms=terms, expires_at=expires_at
            )
            return await self._key_changes(connection, owner).create(like, most)

    async def name_key(self, key_id: int, name: str | None, by: str | None = None) -> ApiKey:
        """Call a key something, for people; None for nothing. A rotation keeps it."""
        if faults := key_name_faults(name):
            raise InvalidRequest(faults)
        async with self._change() as connection:
            return await self._key_changes(connection, by).change(key_id, {"name": name}, Action.KEY_NAMED, "")

    async def set_key_terms(
        self, key_id: int, terms: KeyTerms, expires_at: datetime | None, by: str | None = None
    ) -> ApiKey:
        """Set what a key is for and when it ends, in every process within a second. A rotation keeps both.

        Raise InvalidRequest if the terms are of the other kind: whether a key may stand in a page never changes.
        """
        async with self._change() as connection:
            changes = self._key_changes(connection, by)
            if (await changes.known(key_id)).terms.in_browsers != terms.in_browsers:
                raise InvalidRequest(
                    [Sentence("key: one for browsers stays one, and a secret one stays secret; make another")]
                )
            values = {**key_store.columns_of(terms), "expires_at": expires_at}
            end = "" if expires_at is None else f", until {expires_at:%Y-%m-%d %H:%M UTC}"
            return await changes.change(key_id, values, Action.KEY_TERMS_SET, f"{in_words(terms)}{end}")

    async def list_keys(self, integrator: str | None = None) -> tuple[ApiKey, ...]:
        """Return an integrator's keys, or everybody's, oldest first, the ended ones included."""
        async with self._reading() as connection:
            if integrator is not None:
                integrator = (await _find(connection, integrator)).name
            return await key_store.keys_of(connection, integrator)

    async def revoke_key(self, key_id: int, by: str | None = None) -> ApiKey:
        """End a key now, in every process within a second. To revoke it again changes nothing."""
        async with self._change() as connection:
            return await self._key_changes(connection, by).revoke(key_id)

    async def rotate_key(
        self, key_id: int, overlap_s: int, most: int | None = None, by: str | None = None
    ) -> tuple[ApiKey, str]:
        """Make a new key in a key's place, which ends `overlap_s` seconds later; ``most`` bounds the live ones."""
        async with self._change() as connection:
            return await self._key_changes(connection, by).rotate(key_id, overlap_s, most)

    async def set_limits(self, key_id: int, quote_limit: int | None, other_limit: int | None) -> ApiKey:
        """Give a key limits of its own, in requests a minute; None returns it to the tier's. A rotation keeps them."""
        if faults := limit_faults(quote_limit, other_limit):
            raise InvalidRequest(faults)
        values = {"quote_limit": quote_limit, "other_limit": other_limit}
        told = f"quotes {quote_limit or 'as the tier'}, others {other_limit or 'as the tier'}"
        async with self._change() as connection:
            return await self._key_changes(connection, None).change(key_id, values, Action.KEY_LIMITS_SET, told)

    async def key_rule(self, key_id: int) -> FeeRule | None:
        """Return the fee rule of a key: its own, else its integrator's; None for the service's default."""
        async with self._reading() as connection:
            key = await self._key_changes(connection, None).known(key_id)
            return key.rule or await integrator_store.find_rule(connection, key.integrator)

    async def set_key_rule(self, key_id: int, rule: FeeRule | None) -> ApiKey:
        """Give a key a fee rule of its own; None returns it to its integrator's. A rotation keeps it."""
        if faults := (() if rule is None else rule_faults(rule)):
            raise InvalidRequest(faults)
        values = integrator_store.shares_of(rule)
        async with self._change() as connection:
            return await self._key_changes(connection, None).change(
                key_id, values, Action.KEY_RULE_SET, told_rule(rule)
            )

    def _candidate(self, name: str, evm_wallet: str | None, svm_wallet: str | None) -> Integrator:
        evm, evm_faults = canonical_wallet(ChainType.EVM, evm_wallet)
        svm, svm_faults = canonical_wallet(ChainType.SVM, svm_wallet)
        if faults := (*name_faults(name), *evm_faults, *svm_faults):
            raise InvalidRequest(faults)
        return Integrator(name, evm, svm, self.clock())

    def _key_changes(self, connection: AsyncConnection, by: str | None) -> KeyChanges:
        return KeyChanges(connection, self.clock(), by, self.operator if by is None else None)

    async def _set_wallet(
        self, connection: AsyncConnection, name: str, chain_type: ChainType, wallet: str | None, by: str | None
    ) -> None:
        integrator = await _find(connection, name)
        before = integrator.wallet(chain_type)
        if before != wallet:
            await integrator_store.set_wallet(connection, integrator.name, chain_type, wallet)
            told = f"{chain_type}: {wallet or 'none'}, before {before or 'none'}"
            await self._note(connection, integrator.name, Deed(by, Action.WALLET_SET, told))

    async def _note(self, connection: AsyncConnection, name: str, deed: Deed) -> None:
        named = deed if deed.by is not None else replace(deed, operator=self.operator)
        await note(connection, name, self.clock(), named)

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
        raise NotFound(f"integrator: there is no integrator named {name!r}; register it first")
    return integrator
