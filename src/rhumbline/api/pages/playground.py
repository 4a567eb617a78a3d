"""What a page needs that writes the lines of an embedded element, and shows it as it will be."""

from collections.abc import Mapping

from rhumbline.api.pages.embed_form import DEFAULT_ACCENT, LAYOUTS, LOCKS, MOST_FEE_PERCENT, Wanted
from rhumbline.api.pages.front_page import ELEMENT, paying
from rhumbline.api.pages.pages import origins
from rhumbline.catalog.chains import ChainCatalog

PLAYGROUND = "/docs/playground"


class Playground:
    """The service as such a page shows it: its address, and the chains that can be paid from."""

    def __init__(self, base_url: str, chains: ChainCatalog, served: frozenset[int] | None) -> None:
        self.offered = paying(chains, served)
        self.nodes = origins(url for chain in chains for url in chain.rpc_urls)
        self._base_url = base_url
        self._chains = [chain for chain in chains if chain.id in self.offered]

    def values(self, wanted: Wanted) -> Mapping[str, object]:
        """Return what the template ``playground_box.html`` takes."""
        return {
            "wanted": wanted,
            "chains": self._chains,
            "default_accent": DEFAULT_ACCENT,
            "most": MOST_FEE_PERCENT,
            "locks": LOCKS,
            "layouts": LAYOUTS,
            "element": ELEMENT,
            "base_url": self._base_url,
        }
