"""The page that a request comes from, as far as the browser names it."""

from urllib.parse import SplitResult, urlsplit

from starlette.requests import Request

_NOWHERE = urlsplit("")


def referer_of(request: Request) -> SplitResult:
    """Return the parts of the header ``Referer``, all empty where there is none or it is no URL."""
    try:
        return urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return _NOWHERE
