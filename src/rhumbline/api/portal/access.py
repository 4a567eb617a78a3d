"""Who visits, and whether a request comes from our own pages: cookies, origins, CSRF tokens, forms."""

import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.accounts.account_ids import read_account_id
from rhumbline.accounts.sessions import Sessions, is_token, new_token
from rhumbline.api.pages.language import ENGLISH, Language, language_of
from rhumbline.domain.account import Role
from rhumbline.domain.sentence import Sentence

LARGEST_FORM = 16 * 1024
MOST_FIELDS = 20
FORM_NOT_VALID = Sentence("Form not valid")
_NOT_JSON = Sentence("Not JSON")
_SIGN_IN_S = 600
_SHOWN_S = 60
_PAGE = re.compile(r"/portal/(?:join|i/[A-Za-z0-9._/-]{1,100})(\?[A-Za-z0-9._~%&=+-]{0,800})?", re.ASCII)
Form = Mapping[str, str]
"""Fields by name, each once."""


class Refused(Exception):
    """A request that a page does not serve; ``text`` says why and what to do."""

    def __init__(self, status: int, title: str, text: str, retry_after_s: int | None = None) -> None:
        """Keep what the page will say, and after how many seconds it makes sense to try again."""
        super().__init__(text)
        self.status = status
        self.title = title
        self.text = text
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in wallet. ``token`` is the session's secret, ``csrf`` the token in its forms.

    ``address`` is its account ID: of a plain account its address (EIP-55), of a contract wallet that on one chain.
    ``role`` is the wallet's in the integrator whose page this is, None on other pages. ``language`` is what is spoken.
    """

    address: str
    token: str = field(repr=False)
    role: Role | None = None
    language: Language = ENGLISH

    @property
    def wallet(self) -> str:
        """Return the address alone, which is no ID: who shows it must not look anything up by it."""
        account = read_account_id(self.address)
        return self.address if account is None else account.address

    @property
    def csrf(self) -> str:
        """Return the session's form token, from which the session's own cannot be derived."""
        return hmac.new(self.token.encode(), b"portal form", sha256).hexdigest()

    @property
    def may_change_keys(self) -> bool:
        return self.may(Role.DEVELOPER)

    @property
    def may_manage(self) -> bool:
        """Return whether the wallet may set fee wallets and manage members."""
        return self.may(Role.OWNER)

    def may(self, needed: Role) -> bool:
        return self.role is not None and self.role.includes(needed)


@dataclass(frozen=True, slots=True)
class Gate:
    """Knows the portal's own address, which gives the allowed origin of forms and the cookies' rules."""

    base_url: str
    sessions: Sessions

    @property
    def domain(self) -> str:
        """Return host and port, as a sign-in message names them."""
        return urlsplit(self.base_url).netloc

    @property
    def uri(self) -> str:
        return f"{self.base_url}/portal"

    async def visitor(self, request: Request) -> Visitor | None:
        """Return who is signed in by the request's cookie; None without a valid session."""
        token = request.cookies.get(self._name("session"), "")
        session = await self.sessions.find(token)
        return None if session is None else Visitor(session.address, token, language=language_of(request))

    def check_origin(self, request: Request) -> None:
        """Raise Refused unless the browser says that the request comes from one of our pages."""
        parts = urlsplit(self.base_url)
        if request.headers.get("origin", "") != f"{parts.scheme}://{parts.netloc}":
            told = Sentence("This must be sent from a page of %(site)s: open the portal there", site=self.base_url)
            raise Refused(403, Sentence("Not from here"), told)

    def check_form(self, visitor: Visitor, form: Form) -> None:
        """Raise Refused unless the form was made for this session."""
        if not hmac.compare_digest(form.get("csrf", "").encode(), visitor.csrf.encode()):
            told = Sentence("The form is not of this session: go back, reload the page, try again")
            raise Refused(403, FORM_NOT_VALID, told)

    def browser(self, request: Request) -> str | None:
        """Return what distinguishes this browser during sign-in, None before it has it."""
        token = request.cookies.get(self._name("browser"), "")
        return token if is_token(token) else None

    def name_browser(self, response: Response) -> str:
        token = new_token()
        self._set(response, "browser", token, _SIGN_IN_S)
        return token

    def sign_in(self, response: Response, token: str) -> None:
        """Hand out a session; the sign-in's own cookie has done its work."""
        self._set(response, "session", token, None)
        self._set(response, "browser", "", 0)

    def sign_out(self, response: Response) -> None:
        self._set(response, "session", "", 0)

    def show_once(self, response: Response, visitor: Visitor, name: str, text: str) -> None:
        """Hand the next page a text that no other may show: an integrator's new key, which the store does not have."""
        self._set(response, "new", f"{text}.{_proof(visitor, name, text)}", _SHOWN_S)

    def shown_once(self, request: Request, visitor: Visitor, name: str) -> str | None:
        """Return what this session was to be shown once; None for nothing, and for what was not written here."""
        text, _, proof = request.cookies.get(self._name("new"), "").partition(".")
        return text if hmac.compare_digest(proof.encode(), _proof(visitor, name, text).encode()) else None

    def forget_shown(self, response: Response) -> None:
        self._set(response, "new", "", 0)

    def _name(self, name: str) -> str:
        # The prefix makes browsers refuse such a cookie from a neighbouring host, or without TLS.
        return f"__Host-portal-{name}" if self._secure else f"portal-{name}"

    @property
    def _secure(self) -> bool:
        return self.base_url.startswith("https://")

    def _set(self, response: Response, name: str, value: str, max_age: int | None) -> None:
        response.set_cookie(
            self._name(name), value, max_age=max_age, path="/", secure=self._secure, httponly=True, samesite="strict"
        )


def page_of_portal(address: str) -> str | None:
    """Return the path of an integrator's page, or of the one for invitations, to continue there; else None."""
    return address if _PAGE.fullmatch(address) else None


def _proof(visitor: Visitor, name: str, text: str) -> str:
    return hmac.new(visitor.token.encode(), f"shown once\0{name}\0{text}".encode(), sha256).hexdigest()


async def read_form(request: Request) -> Form:
    """Read a form's fields, each once, without the blanks around; raise Refused for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/x-www-form-urlencoded":
        raise Refused(415, Sentence("Not a form"), Sentence("Send a form, as the page’s own button does"))
    body = await _bounded(request)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        told = Sentence("The form cannot be read: reload the page and try again")
        raise Refused(400, FORM_NOT_VALID, told) from None
    fields = {name: value.strip() for name, value in pairs}
    if len(fields) != len(pairs):
        told = Sentence("A field of the form is there twice: reload the page and try again")
        raise Refused(400, FORM_NOT_VALID, told)
    return fields


async def read_json(request: Request) -> Mapping[str, str]:
    """Read a small JSON object, its strings alone; raise Refused for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(415, _NOT_JSON, Sentence("Send JSON, as the page’s own script does"))
    try:
        body = json.loads(await _bounded(request))
    except (ValueError, RecursionError):
        raise Refused(400, _NOT_JSON, Sentence("The request is not valid JSON")) from None
    if not isinstance(body, dict):
        raise Refused(400, _NOT_JSON, Sentence("The request is not a JSON object"))
    return {name: value for name, value in body.items() if isinstance(value, str)}


async def _bounded(request: Request) -> bytes:
    body = await request.body()
    if len(body) > LARGEST_FORM:
        told = Sentence("A form of the portal has at most %(most)s bytes", most=LARGEST_FORM)
        raise Refused(413, Sentence("Too large"), told)
    return body
