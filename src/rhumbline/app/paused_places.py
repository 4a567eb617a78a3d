"""What pauses are about, in words and as labels, with chains by their keys."""

from collections.abc import Iterator

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.pauses import Pause, PauseKind, Pauses


def chain_key(chain_id: int, chains: ChainCatalog) -> str:
    """Return a chain's key, its ID where the settings do not know it any more."""
    chain = chains.by_id.get(chain_id)
    return str(chain_id) if chain is None else chain.key


def place_in_words(adapter: str | None, chain: int | None, chains: ChainCatalog) -> str:
    """Name what a pause is about: ``quoting``, ``base``, ``ACROSS`` or ``ACROSS on base``."""
    key = None if chain is None else chain_key(chain, chains)
    if adapter is None:
        return key or "quoting"
    return adapter if key is None else f"{adapter} on {key}"


def in_words(pause: Pause, chains: ChainCatalog) -> str:
    """Say in a line for operators what is paused, since when, by whom and why."""
    return f"{place_in_words(pause.adapter, pause.chain, chains)} is paused {since_in_words(pause)}"


def since_in_words(pause: Pause) -> str:
    why = f"{pause.reason}{' (public)' if pause.public else ''}"
    return f"since {pause.since.isoformat(timespec='seconds')} by {pause.by}: {why}"


def labels(pauses: Pauses, chains: ChainCatalog) -> Iterator[tuple[PauseKind, str]]:
    """Yield kind and name of each pause for a metric: as many as the operator has paused, at most."""
    for pause in pauses.each:
        parts = (pause.adapter, None if pause.chain is None else chain_key(pause.chain, chains))
        yield pause.kind, ":".join(part for part in parts if part is not None) or "all"
