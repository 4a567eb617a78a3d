"""The chains of the package, with an operator's additions, changes and removals."""

import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rhumbline.domain.chain import Chain, ChainType, native_marker
from rhumbline.domain.token import Token
from rhumbline.gateways.chain_types.addresses import canonical_address, checksum_holds, is_address

MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11"
"""Where Multicall3 is on nearly every EVM chain (https://github.com/mds1/multicall3, read 2026-11)."""

WRAPPED_SOL = "So11111111111111111111111111111111111111112"
"""Where wrapped SOL is on every Solana chain (https://solana.com/docs/tokens, read 2026-11)."""
_DECIMALS: Mapping[ChainType, int] = MappingProxyType({ChainType.EVM: 18, ChainType.SVM: 9})
_WRAPPED: Mapping[ChainType, str | None] = MappingProxyType({ChainType.EVM: None, ChainType.SVM: WRAPPED_SOL})
ChainId = Annotated[int, Field(gt=0, lt=2**53)]
ChainKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{1,15}$")]
PublicUrl = Annotated[str, Field(pattern=r"^https?://[^/\s@]+(/\S*)?$", max_length=2000)]
"""A URL that may be served: http or https, without user and password."""


class NativeFacts(BaseModel):
    """A chain's native asset; without ``decimals`` it has those of its chain type."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    symbol: Annotated[str, Field(min_length=1, max_length=20, pattern=r"^\S+$")]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    decimals: Annotated[int, Field(ge=0, le=36)] | None = None
    coin_key: str | None = None
    logo_uri: str | None = None


class ChainFacts(BaseModel):
    """One chain; ``diamond`` is False if the service's contracts cannot be there."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    id: ChainId
    key: ChainKey
    name: Annotated[str, Field(min_length=1, max_length=60)]
    type: ChainType = ChainType.EVM
    native: NativeFacts
    mainnet: bool = True
    aliases: tuple[ChainKey, ...] = ()
    rpc_urls: tuple[PublicUrl, ...] = ()
    explorer_url: PublicUrl | None = None
    logo_uri: str | None = None
    multicall: str | None = MULTICALL3
    wrapped_native: str | None = None
    diamond: bool = True
    confirmations: Annotated[int, Field(ge=0, le=10_000)] = 2

    @model_validator(mode="after")
    def _addresses_fit(self) -> "ChainFacts":
        for name in ("multicall", "wrapped_native"):
            value: str | None = getattr(self, name)
            # A default applies where it is valid, and is dropped elsewhere.
            stated = value if name in self.model_fields_set else None
            if stated is not None and not (is_address(self.type, stated) and checksum_holds(self.type, stated)):
                raise ValueError(
                    f"{name} must be an address of the chain, in lower case or with a correct EIP-55 checksum"
                )
        return self


class ChainChange(BaseModel):
    """An operator's settings of one chain, which override the known ones; ``remove`` removes the chain."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    id: ChainId
    remove: bool = False
    key: ChainKey | None = None
    name: str | None = None
    type: Literal["EVM", "SVM"] | None = None
    native: NativeFacts | None = None
    mainnet: bool | None = None
    aliases: tuple[ChainKey, ...] | None = None
    rpc_urls: tuple[PublicUrl, ...] | None = None
    explorer_url: PublicUrl | None = None
    logo_uri: str | None = None
    multicall: str | None = None
    wrapped_native: str | None = None
    diamond: bool | None = None
    confirmations: int | None = None


_CHANGEABLE = frozenset(ChainChange.model_fields) - {"remove"}


class ChainFaults(ValueError):
    """Invalid changes of chains; each fault is one line that names the chain and the field."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


def known_chains() -> tuple[ChainFacts, ...]:
    document = tomllib.loads((files("rhumbline.catalog") / "data" / "chains.toml").read_text("utf-8"))
    return tuple(ChainFacts.model_validate(chain) for chain in document["chains"])


def changed_chains(known: Iterable[ChainFacts], changes: Iterable[ChainChange]) -> tuple[ChainFacts, ...]:
    """Return the known chains in their order, changed, and the added ones after them in theirs.

    Raise ChainFaults: a new chain lacks a field, a chain is named twice, or is taken away without being known.
    """
    chains: dict[int, ChainFacts] = {chain.id: chain for chain in known}
    faults: list[str] = []
    seen: set[int] = set()
    for change in changes:
        if change.id in seen:
            faults.append(f"chain {change.id}: is there twice; keep one [[chains]] entry per ID")
        seen.add(change.id)
        if change.remove:
            if chains.pop(change.id, None) is None:
                faults.append(f"chain {change.id}: remove: is not a known chain, so there is nothing to remove")
            continue
        fields = change.model_dump(include=set(change.model_fields_set & _CHANGEABLE), exclude_unset=True)
        # TOML cannot express None: a None here is a default of a settings model.
        stated = {name: value for name, value in fields.items() if value is not None}
        before = chains.get(change.id)
        try:
            chains[change.id] = ChainFacts.model_validate(
                {**({} if before is None else before.model_dump(exclude_unset=True)), **stated}
            )
        except ValidationError as error:
            faults += [f"chain {change.id}: {_fault(detail['loc'], detail['msg'])}" for detail in error.errors()]
    faults += _clashes(chains.values())
    if faults:
        raise ChainFaults(faults)
    return tuple(chains.values())


def to_chain(
    facts: ChainFacts, *, diamond: str | None = None, executor: str | None = None, receiver: str | None = None
) -> Chain:
    """Write the facts as our word; the addresses of the service's contracts are given where they are in use."""
    native, marker = facts.native, native_marker(facts.type)
    decimals = _DECIMALS[facts.type] if native.decimals is None else native.decimals
    wrapped = facts.wrapped_native or _WRAPPED[facts.type]
    return Chain(
        id=facts.id,
        key=facts.key,
        name=facts.name,
        type=facts.type,
        native=Token(facts.id, marker, native.symbol, decimals, native.name, native.coin_key, native.logo_uri),
        mainnet=facts.mainnet,
        rpc_urls=facts.rpc_urls,
        explorer_url=facts.explorer_url,
        logo_uri=facts.logo_uri,
        multicall=_canonical(facts.type, facts.multicall) if facts.type is ChainType.EVM else None,
        wrapped_native=_canonical(facts.type, wrapped),
        diamond=diamond,
        executor=executor,
        receiver=receiver,
        confirmations=facts.confirmations,
        aliases=facts.aliases,
    )


def _clashes(chains: Iterable[ChainFacts]) -> list[str]:
    owners: dict[str, int] = {}
    faults = []
    for chain in chains:
        for name in (chain.key, *chain.aliases):
            owner = owners.setdefault(name, chain.id)
            if owner != chain.id:
                faults.append(f"chain {chain.id}: the name {name!r} belongs to chain {owner}; choose another")
    return faults


def _canonical(chain_type: ChainType, address: str | None) -> str | None:
    return None if address is None else canonical_address(chain_type, address)


def _fault(place: tuple[int | str, ...], message: str) -> str:
    field = ".".join(str(part) for part in place)
    text = message.removeprefix("Value error, ")
    return f"{field}: {text}" if field else text
