"""Pages from templates: every value is escaped, and every page has the same security policy."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from starlette.responses import Response

from rhumbline.api.pages.assets import Assets
from rhumbline.api.pages.language import ENGLISH, LANGUAGES, Language

if TYPE_CHECKING:
    from jinja2 import Environment

# A wallet's own traffic is its extension's and needs no leave here. Icons of wallets come as data: URLs (EIP-6963).
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src {}; font-src 'self'; img-src 'self' data:; "
    "connect-src {}; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(?=[/?]|\Z)", re.ASCII)
# Not `no-referrer`: it would make the Origin of our own forms `null`.
_HEADERS = (
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
)


def origins(urls: Iterable[str]) -> tuple[str, ...]:
    """Return the origins of addresses, each once, in order; what a policy has no words for is left out."""
    found = (_ORIGIN.match(url) for url in urls)
    return tuple(dict.fromkeys(match[0] for match in found if match is not None))


def page_headers(reaches: Sequence[str] = (), styles: Sequence[str] = ()) -> dict[str, str]:
    """Return the headers of every page.

    Its scripts may ask this service and the origins that they ``reach``. ``styles`` are digests of styles that stand
    inside the page (``sha256-…``), which no page of ours has.
    """
    permitted = (" ".join(("'self'", *more)) for more in ([f"'{style}'" for style in styles], reaches))
    return dict(_HEADERS) | {"content-security-policy": _POLICY.format(*permitted)}


class Pages:
    """Renders the templates of the front page and the portal."""

    def __init__(self, brand: str, assets: Assets) -> None:
        """Take what every page shows; the templates are read when the first page is asked for."""
        self._brand = brand
        self._assets = assets
        self._environments: dict[str, Environment] = {}

    def asset(self, name: str) -> str:
        """Return the URL of a static file; raise KeyError for an unknown name."""
        return self._assets.url(name)

    def page(
        self,
        template: str,
        values: Mapping[str, object],
        status: int = 200,
        cache: str = "no-store",
        reaches: Sequence[str] = (),
        language: Language | None = None,
    ) -> Response:
        """Render a template with its values; its script may ask this service, and the origins that it ``reaches``.

        ``language`` is the visitor's; a page that is in English for everybody has none.
        """
        spoken = ENGLISH if language is None else language
        offered = () if language is None else tuple(LANGUAGES.values())
        text = self._environment(spoken).get_template(template).render({"languages": offered, **values})
        headers = page_headers(reaches) | {"cache-control": cache}
        if language is not None:
            headers["vary"] = "accept-language, cookie"
        return Response(text, status, headers, "text/html")

    def _environment(self, language: Language) -> "Environment":
        known = self._environments.get(language.tag)
        if known is None:
            known = self._environments[language.tag] = self._made(language)
        return known

    def _made(self, language: Language) -> "Environment":
        # Here, because a start should not wait for what the first visitor needs.
        from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

        loaders = [
            PackageLoader("rhumbline.api.pages"),
            PackageLoader("rhumbline.api.portal"),
            PackageLoader("rhumbline.api.reference"),
        ]
        environment = Environment(
            loader=ChoiceLoader(loaders),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        environment.policies["ext.i18n.trimmed"] = True
        catalogue = language.catalogue
        environment.globals.update(
            brand=self._brand,
            asset=self._assets.url,
            language=language,
            gettext=catalogue.gettext,
            ngettext=catalogue.ngettext,
        )
        environment.filters.update(number=language.number, translated=language.translated)
        return environment
