"""An integrator's fee wallets: checked first, then set by a fresh signature that names the new wallet."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rhumbline.accounts.integrators import canonical_wallet
from rhumbline.api.portal.access import FORM_NOT_VALID, Form, Refused, Visitor
from rhumbline.api.portal.challenges import Purpose, Signing
from rhumbline.api.portal.views import HOME, PortalViews
from rhumbline.api.portal.wallet_checks import Remark, wallet_remarks
from rhumbline.domain.account import Integrator, Role
from rhumbline.domain.chain import ChainType
from rhumbline.domain.sentence import Sentence

_KINDS = (ChainType.EVM, ChainType.SVM)


@dataclass(frozen=True, slots=True)
class Change:
    """A wallet to set, in canonical form; None removes it."""

    integrator: Integrator
    chain_type: ChainType
    address: str | None

    @property
    def statement(self) -> str:
        kind = "EVM" if self.chain_type is ChainType.EVM else "Solana"
        if self.address is None:
            return f"Remove the {kind} fee wallet of {self.integrator.name}."
        return f"Set the {kind} fee wallet of {self.integrator.name} to {self.address}."


def wallet_routes(views: PortalViews, signing: Signing) -> list[Route]:
    """Return the routes below an integrator's fee wallets."""
    services = views.services

    def show(
        visitor: Visitor,
        integrator: Integrator,
        status: int = 200,
        entered: tuple[str, str] = ("", ""),
        faults: tuple[str, ...] = (),
    ) -> Response:
        return views.page(
            "wallets.html",
            visitor,
            status,
            integrator=integrator,
            tab="wallets",
            kinds=[(kind, integrator.wallet(kind)) for kind in _KINDS],
            entered=entered,
            faults=faults,
        )

    async def get_wallets(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        return show(visitor, integrator)

    async def post_check(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        change, _, refused = await judged(visitor, integrator, form)
        if refused is not None:
            return refused
        asked = urlencode({"chain_type": change.chain_type.value, "address": change.address or ""})
        return RedirectResponse(f"{HOME}/i/{integrator.name}/wallets/change?{asked}", 303)

    async def get_change(request: Request, visitor: Visitor, integrator: Integrator) -> Response:
        # A message to sign is kept until it is signed, so that asking for one counts as sending a form does.
        await views.count(request)
        change, remarks, refused = await judged(visitor, integrator, request.query_params)
        if refused is not None:
            return refused
        message = await signing.challenge(purpose(visitor, change), visitor.address)
        return views.page(
            "wallet_change.html",
            visitor,
            integrator=integrator,
            tab="wallets",
            change=change,
            before=integrator.wallet(change.chain_type),
            remarks=remarks,
            message=message,
        )

    async def judged(
        visitor: Visitor, integrator: Integrator, given: Mapping[str, str]
    ) -> tuple[Change, tuple[Remark, ...], Response | None]:
        """Return the new wallet and the remarks on it, and the page that refuses it if it cannot be set."""
        change, faults = read_change(integrator, given)
        remarks: tuple[Remark, ...] = ()
        if not faults and change.address is not None:
            remarks = await wallet_remarks(services, change.chain_type, change.address)
            faults = tuple(remark.text for remark in remarks if remark.fatal)
        entered = change.chain_type, given.get("address", "")[:128]
        return change, remarks, show(visitor, integrator, 400, entered, faults) if faults else None

    async def post_wallet(request: Request, visitor: Visitor, integrator: Integrator, form: Form) -> Response:
        change, faults = read_change(integrator, form)
        if faults:
            return show(visitor, integrator, 400, faults=faults)
        if change.statement in form.get("message", "") and integrator.wallet(change.chain_type) == change.address:
            # It is so already: the form was sent twice.
            return RedirectResponse(f"{HOME}/i/{integrator.name}/wallets", 303)
        # A form's line breaks arrive as CR LF, whatever was put in.
        text = form.get("message", "").replace("\r\n", "\n")
        signer = await signing.verified(purpose(visitor, change), text, form.get("signature", ""))
        if signer != visitor.address:
            told = Sentence("Sign with the wallet that is signed in here, %(address)s", address=visitor.address)
            raise Refused(403, Sentence("Another wallet"), told)
        await services.accounts.set_wallet(integrator.name, change.chain_type, change.address, visitor.address)
        return RedirectResponse(f"{HOME}/i/{integrator.name}/wallets", 303)

    def purpose(visitor: Visitor, change: Change) -> Purpose:
        return Purpose("fee-wallet", visitor.token, change.statement)

    return [
        views.reading("/wallets", get_wallets),
        views.reading("/wallets/change", get_change, Role.OWNER),
        views.changing("/wallets/check", post_check, Role.OWNER),
        views.changing("/wallets", post_wallet, Role.OWNER),
    ]


def read_change(integrator: Integrator, form: Form) -> tuple[Change, tuple[str, ...]]:
    """Read the new wallet and its faults; an empty address removes the wallet."""
    kind = form.get("chain_type", "")
    if kind not in {str(each) for each in _KINDS}:
        raise Refused(400, FORM_NOT_VALID, Sentence("chain_type: must be EVM or SVM"))
    wallet, faults = canonical_wallet(ChainType(kind), form.get("address") or None)
    return Change(integrator, ChainType(kind), wallet), faults
