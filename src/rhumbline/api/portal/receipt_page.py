"""``/tx/<transactionId>``: a receipt for anybody who has the ID. It tells of no sender and no receiver."""

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.accounts.rate_limits import RateScope
from rhumbline.api.pages.language import Language, language_of
from rhumbline.api.portal.access import Refused
from rhumbline.api.portal.receipts import RECEIPTS, receipt_of
from rhumbline.api.portal.views import PortalViews, as_refusal, retry_headers
from rhumbline.domain.errors import StoreUnavailable

_ID = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)


def receipt_page(views: PortalViews) -> Route:
    """Return its route. An ID that was not seen is a page of its own (404): it may be seen soon."""
    services = views.services

    async def get_receipt(request: Request) -> Response:
        language = language_of(request)
        identifier = str(request.path_params["id"])
        try:
            # It looks in the store, as ``GET /v1/status`` does, and counts like it.
            await views.count(request, RateScope.OTHER)
            record = await services.listing.seen(identifier)
        except (Refused, StoreUnavailable) as failure:
            refusal = as_refusal(failure)
            answer = page(language, refusal.status, problem=refusal)
            answer.headers.update(retry_headers(refusal))
            return answer
        if record is None:
            whole = _ID.fullmatch(identifier) is not None
            return page(language, 404, missing=True, identifier=identifier.lower() if whole else None)
        receipt = receipt_of(language, services.chains, services.tokens, services.tool_names, record)
        return page(language, 200, receipt=receipt, address=f"{services.base_url}{RECEIPTS}/{receipt.transaction_id}")

    def page(language: Language, status: int, **values: object) -> Response:
        shown = {"receipt": None, "problem": None, "missing": False, "identifier": None, "address": None, **values}
        answer = views.page("receipt.html", None, status, language=language, **shown)
        # Whoever has the address may see it; nobody shall find it by a search.
        answer.headers["x-robots-tag"] = "noindex"
        return answer

    return Route(RECEIPTS + "/{id}", get_receipt)
