"""Content types of answers: which of them may be JSON, and what may be shown of one."""

import re

# Raw files are often served as plain text, and gateways know no type at all; HTML is always a page about the matter.
_JSON = frozenset({"application/json", "text/json", "text/plain", "application/octet-stream", ""})
# What may be shown of a stranger's word for what it answers.
_SHOWN = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,40}\Z", re.ASCII)


def may_be_json(content_type: str) -> bool:
    kind = _media_type(content_type)
    return kind in _JSON or kind.endswith("+json")


def shown(content_type: str) -> str:
    """Return the type in lower case without its parameters; "something" where it is not written as one."""
    kind = _media_type(content_type)
    return kind if _SHOWN.match(kind) else "something"


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()
