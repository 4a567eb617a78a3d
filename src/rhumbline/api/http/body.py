"""Bodies that must be a JSON object."""

import re
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.requests import Request

from rhumbline.api.http.errors import BodyNotJson
from rhumbline.api.parameters.parameter import shown
from rhumbline.domain.errors import InvalidRequest
from rhumbline.gateways.http.strict_json import LONGEST_NUMBER, Json, NumberTooLong, place_of_long_number, read_json

# RFC 6839, 3.1 (https://www.rfc-editor.org/rfc/rfc6839, read 2026-11): what ends in +json is JSON.
# RFC 9110, 8.3 (https://www.rfc-editor.org/rfc/rfc9110, read 2026-11): octet-stream is what says nothing.
_JSON = re.compile(r"application/(([a-z0-9.-]+\+)?json|octet-stream)")
# What may be shown of a path that the caller has written.
_PLACE = re.compile(r"[A-Za-z][A-Za-z0-9.\[\]]{0,99}", re.ASCII)


async def read_object(request: Request) -> Mapping[str, Json]:
    """Return the body's JSON object; raise InvalidRequest for anything else, BodyNotJson if its headers say so.

    A body without a content type is parsed: many clients send JSON without it.
    """
    _expect_json(request.headers)
    body = await request.body()
    try:
        document = read_json(body)
    except NumberTooLong:
        place = place_of_long_number(body) or ""
        name = place if _PLACE.fullmatch(place) else "body:"
        raise InvalidRequest([f"{name} must be a number of at most {LONGEST_NUMBER} digits"]) from None
    except ValueError as error:
        raise InvalidRequest([f"body: must be a JSON object ({error}); send content-type application/json"]) from None
    if not isinstance(document, dict):
        raise InvalidRequest(["body: must be a JSON object, as the reference shows"])
    return document


def _expect_json(headers: Headers) -> None:
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type and not _JSON.fullmatch(content_type):
        raise BodyNotJson(
            f"The body must be JSON, but its content type is {shown(content_type)}: send content-type application/json"
        )
    coding = headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity"):
        raise BodyNotJson(f"The body must not be encoded, but has content-encoding {shown(coding)}: send it without")
