"""The page that writes the lines with which an integrator embeds the element."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.pages.front_page import ELEMENT
from rhumbline.api.portal.access import Visitor
from rhumbline.api.portal.views import PortalViews
from rhumbline.domain.account import Integrator

MOST_FEE_PERCENT = 10
_LONGEST = 200
_PERCENT = re.compile(r"[0-9]{1,2}(\.[0-9]{1,4})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the form asks for: the attributes to write, and what is wrong with it."""

    chains: tuple[int, ...]
    api: str
    fee: str
    faults: Mapping[str, str]

    @property
    def attributes(self) -> tuple[tuple[str, str], ...]:
        """Return the attributes beside the integrator's, in order, without those that say nothing."""
        given = (("chains", " ".join(map(str, self.chains))), ("api", self.api), ("fee", self._share))
        return tuple((name, text) for name, text in given if text and name not in self.faults)

    @property
    def _share(self) -> str:
        return format((Decimal(self.fee) / 100).normalize(), "f") if self.fee and "fee" not in self.faults else ""


def embed_page(views: PortalViews) -> Route:
    services = views.services
    chains = [chain for chain in services.chains if services.served is None or chain.id in services.served]

    async def get_page(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        wanted = read_wanted(request, [chain.id for chain in chains])
        return views.page(
            "embed.html",
            visitor,
            400 if wanted.faults else 200,
            integrator=integrator,
            tab="embed",
            chains=chains,
            wanted=wanted,
            most=MOST_FEE_PERCENT,
            element=ELEMENT,
            base_url=services.base_url,
        )

    return views.reading("/embed", get_page)


def read_wanted(request: Request, known: list[int]) -> Wanted:
    """Read the form; chains that are not known are left out."""
    given = request.query_params
    named = set(given.getlist("chain"))
    api, fee = (given.get(name, "").strip()[:_LONGEST] for name in ("api", "fee"))
    faults = {}
    if api and not _is_address(api):
        faults["api"] = "The address begins with https:// and has no query: https://yours.example/rhumbline"
    if fee and not (_PERCENT.fullmatch(fee) and 0 < Decimal(fee) <= MOST_FEE_PERCENT):
        faults["fee"] = (
            f"The fee is a percentage above 0 and at most {MOST_FEE_PERCENT}, with at most four decimals: 0.5"
        )
    return Wanted(tuple(each for each in known if str(each) in named), api, fee, faults)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and not parts.fragment
