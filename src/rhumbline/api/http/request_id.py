"""A request's name: the client's own where it is sane, else a random one."""

import re
from secrets import token_hex

SANE = re.compile(r"[A-Za-z0-9._-]{1,64}\Z", re.ASCII)
"""A client's own name for a request, as it is taken over."""


def new_request_id() -> str:
    return token_hex(16)
