"""An upstream's errors in our words."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError, BelowMinimum, CredentialsRejected, NoRoute, RequestRejected
from rhumbline.domain.errors import UpstreamFailed as Failed
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import SUCCESS, ErrorTable, text_at
from rhumbline.gateways.upstreams.upstream import UpstreamError, UpstreamRefused, UpstreamSilent


def codes(status: int, body: Json) -> Iterable[int | str]:
    return (text_at(body, "code"), status)


TABLE: ErrorTable[int | str] = ErrorTable(
    MappingProxyType(
        {"NONE": (NoRoute, "has no route"), "LITTLE": (BelowMinimum, "too little"), "BUSY": (Failed, "is busy"),
         404: (NoRoute, "knows nothing")}
    ),
    codes,
)  # fmt: skip


async def replying(answer: object) -> Any:
    if isinstance(answer, UpstreamError):
        raise answer
    return answer


@pytest.mark.parametrize(
    ("reply", "kind", "reason"),
    [
        (UpstreamRefused("a", 400, {"code": "NONE"}), NoRoute, "has no route"),
        (UpstreamRefused("a", 500, {"code": "LITTLE"}), BelowMinimum, "too little"),
        (UpstreamRefused("a", 404, None), NoRoute, "knows nothing"),
        (UpstreamRefused("a", 404, {"code": "LITTLE"}), BelowMinimum, "too little"),
        (UpstreamRefused("a", 400, {"code": "?"}), RequestRejected, "rejects the request (HTTP 400)"),
        (UpstreamRefused("a", 403, ["NONE"]), CredentialsRejected, "refuses our credentials"),
        (UpstreamRefused("a", 429, {"code": "NONE"}, 7.0), Failed, "limits our rate"),
        (UpstreamRefused("a", 503, {"code": "BUSY"}, 7.0), Failed, "is busy"),
        (UpstreamSilent("a", "did not answer"), Failed, "did not answer"),
        ({"code": "NONE"}, NoRoute, "has no route"),
    ],
)
async def test_what_a_failure_means(reply: object, kind: type[AdapterError], reason: str) -> None:
    with pytest.raises(AdapterError) as raised:
        await TABLE.answer(replying(reply))
    assert (type(raised.value), raised.value.reason) == (kind, reason)
    if isinstance(reply, UpstreamRefused) and isinstance(raised.value, Failed):
        assert raised.value.retry_after_s == 7.0


@pytest.mark.parametrize("body", [{"code": "?"}, {"code": 404}, {}, [], None, "NONE"])
async def test_any_other_answer_is_the_callers(body: Json) -> None:
    assert await TABLE.answer(replying(body)) == body
    assert TABLE.meaning(SUCCESS, body) is None
