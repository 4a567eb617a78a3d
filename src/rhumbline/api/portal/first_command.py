"""The command with which an integrator begins: copied, pasted and run, it answers with a real quote."""

from shlex import quote
from urllib.parse import urlencode

from rhumbline.api.http.paths import QUOTES, TRACKING
from rhumbline.api.portal.services import PortalServices
from rhumbline.api.reference.example_swap import example_swap
from rhumbline.domain.account import UNRESTRICTED, KeyScope, KeyTerms

PLACEHOLDER = "$RHUMBLINE_KEY"
"""What stands for a key that is not shown: a variable of the shell, without which the request has no key."""


def first_command(services: PortalServices, sender: str, key: str | None = None, terms: KeyTerms = UNRESTRICTED) -> str:
    """Return a line for a shell that asks with a key, None for the placeholder, as its terms allow.

    It asks for a quote of a swap that this service can make, for the wallet ``sender`` (which may hold nothing); with a
    key that is not for quotes, for the latest records.
    """
    swap = example_swap(services.chains, services.tokens, services.served)
    question = urlencode({**swap.question, "senderAddress": sender})
    path = f"{QUOTES}?{question}" if KeyScope.QUOTES in terms.scopes else f"{TRACKING}?limit=10"
    header = f'"x-api-key: {PLACEHOLDER}"' if key is None else quote(f"x-api-key: {key}")
    origin = f" -H {quote(f'origin: {terms.origins[0]}')}" if terms.origins else ""
    return f"curl -sS -H {header}{origin} {quote(services.base_url + path)}"
