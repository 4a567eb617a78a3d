"""Which modules read foreign bytes, and which of them a fuzzing run enters."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import rhumbline

_SOURCES = Path(rhumbline.__path__[0])
_NAMES = frozenset({"wire.py", "checking.py", "calldata.py", "protocol_calls.py", "strict_json.py"})
_READS = re.compile(
    r"\b(read_json|raw_decode|json\.loads|msgspec\.convert|model_validate|read_answer|decode_first|decode_loosely"
    r"|decode_args|read_canonical|b64decode|unhexlify|fromhex|from_bytes|unpack|unpack_from|decompile\w*|parsedate\w*"
    r"|urlsplit|parse_qsl|fromisoformat|strptime|Http\w+Parser)\(|\bjson\.Decoder\(|\.decode\((data|call|raw|body)"
    r"|\((Camel)?Answer\):|\(Shape[,)]",
    re.ASCII,
)
_OWN: Mapping[str, str] = MappingProxyType(
    {
        "adapters/onchain/pool_plans.py": "the service's own calldata, decoded again",
        "adapters/okx/routers.py": "an address and a number by decode_args, of which anything else is no",
        "api/http/referer.py": "one header by urlsplit (tests/api/portal/test_language_choice.py)",
        "api/portal/keys.py": "moments that the page itself has written",
        "api/portal/language_choice.py": "the operator's own address",
        "api/portal/sign_in.py": "what access.read_json has read",
        "app/commands/explanations.py": "a file of the operator's, by read_json",
        "app/commands/quote.py": "the operator's own service",
        "app/credentials.py": "settings",
        "app/first_settings.py": "settings",
        "app/running_devnet.py": "a file of the sandbox",
        "app/settings.py": "settings",
        "catalog/known.py": "the snapshot in the repository",
        "catalog/store.py": "settings",
        "catalog/token_sync.py": "settings; lists are read by token_list and list_download",
        "gateways/http/connection_errors.py": "the operator's own URL",
        "gateways/nodes/evm/deployment.py": "artifacts of the contracts",
        "gateways/postgres/engine.py": "settings",
        "liquidity/explanation_reads.py": "a command of the operator's",
        "pricing/checks.py": "a constant",
        "pricing/evm/onchain.py": "words of 32 bytes, by their length",
        "routing/evm/permit_call.py": "the service's own calldata, decoded again",
        "routing/evm/permit_support.py": "words and texts by decode_args (tests/routing/evm/test_permit_support.py)",
        "simulation/evm/rehearsal.py": "one log by decode_args; what does not fit is no rehearsal",
        "tracking/columns.py": "the service's own store",
        "tracking/evm/deposits.py": "words of logs that tracking/evm/logs has read",
        "tracking/records.py": "IDs that were read of logs",
        "tracking/svm/records.py": "the service's own IDs",
        "tracking/webhooks/endpoints.py": "the service's own store",
        "tracking/webhooks/signature.py": "the service's own secrets",
    }
)
"""Modules that no decoder of fuzz/ enters, and why: whose bytes they read, or what stands before them."""


@cache
def reading() -> frozenset[str]:
    """Return the modules below ``src/rhumbline`` that read bytes of somebody else, but for the sandbox's."""
    found = set()
    for file in _SOURCES.rglob("*.py"):
        path = file.relative_to(_SOURCES).as_posix()
        if path.startswith(("devnet/", "gateways/postgres/migrations/")):
            continue
        if file.name in _NAMES or _READS.search(file.read_text("utf-8")):
            found.add(path)
    return frozenset(found)


def left_out(entered: Collection[str]) -> list[str]:
    """Return the modules that read foreign bytes, are entered by nobody, and have no reason for it.

    Also the reasons that are no longer needed.
    """
    stale = set(_OWN) - reading()
    return sorted((reading() - set(entered) - set(_OWN)) | stale)
