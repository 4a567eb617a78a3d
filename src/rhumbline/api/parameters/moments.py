"""Moments in requests, in the form in which answers have them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from rhumbline.api.parameters.parameter import Unreadable, shown

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)\Z", re.ASCII | re.IGNORECASE)
_YEARS = range(1970, 9999)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time and their offset from UTC, by RFC 3339 (section 5.6, read 2026-11-27), to the microsecond."""

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "format": "date-time"}

    def read(self, text: str, /) -> datetime:
        """Return the moment in UTC."""
        found = None
        if _FORM.match(text):
            try:
                found = datetime.fromisoformat(text.upper()).astimezone(UTC)
            except (ValueError, OverflowError):
                found = None
        if found is None or found.year not in _YEARS:
            hint = "; a + is written %2B in a URL" if " " in text else ""
            raise Unreadable(
                f"must be a moment with its offset from UTC, as 2026-11-27T10:00:00.000Z{hint}; got {shown(text)}"
            )
        return found
