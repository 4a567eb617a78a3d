"""The settings of traces."""

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator

from rhumbline.app.sections import Section

_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}", re.ASCII)
_VALUE = re.compile(r"[\x21-\x7e]([\x20-\x7e]{0,4094}[\x21-\x7e])?")


def _collector_url(value: str) -> str:
    """Permit plain HTTP too: collectors mostly are in the same private network."""
    if not re.fullmatch(r"https?://[^/\s@?#]+(/[^\s?#]*)?", value):
        raise ValueError("must be an http:// or https:// URL without user, query or fragment, mostly …:4318/v1/traces")
    return value


class TracingSettings(Section):
    """Where traces are sent, by OTLP over HTTP; without an endpoint, nowhere.

    ``share`` of the requests for quotes are recorded; with ``callers`` = "join" a caller's ``traceparent`` decides for
    its own request.
    """

    endpoint: Annotated[str, AfterValidator(_collector_url)] | None = None
    share: Annotated[float, Field(ge=0, le=1)] = 0.1
    callers: Literal["ignore", "join"] = "ignore"
    service_name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")] = "rhumbline"
    headers: dict[str, SecretStr] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _sent_safely(self) -> "TracingSettings":
        for name, value in self.headers.items():
            if not _HEADER.fullmatch(name) or not _VALUE.fullmatch(value.get_secret_value()):
                raise ValueError("headers: names are words, and values printable ASCII without spaces around")
        if self.headers and self.endpoint is None:
            raise ValueError("headers are set and endpoint is not: set tracing.endpoint")
        if self.headers and self.endpoint is not None:
            where = urlsplit(self.endpoint)
            if where.scheme != "https" and where.hostname not in _LOCAL:
                raise ValueError("headers would be sent readably: endpoint must be https://, or on this machine")
        return self
