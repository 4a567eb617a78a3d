"""The authentication of OKX's emulator: three credentials and a signature, checked as the vendor does.

A signature is over exactly the request, with a time at most half a minute off; that tolerance is the exchange's, the
pages of this API name none.
"""

import base64
import hmac
import re
from datetime import UTC, datetime
from hashlib import sha256
from types import MappingProxyType

from rhumbline.devnet.upstreams.behaviour import Fails, Received

CREDENTIALS = MappingProxyType({"key": "sandbox-key", "secret": "sandbox-secret", "passphrase": "sandbox-passphrase"})
_TOLERANCE_S = 30
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z", re.ASCII)


def admit(asked: Received) -> None:
    """Check the four headers, in the order of their error codes; raise Fails."""
    names = {"key_empty": "key", "passphrase_empty": "passphrase", "sign_empty": "sign", "timestamp_empty": "timestamp"}
    said = {word: asked.headers.get(f"ok-access-{word}", "") for word in names.values()}
    for failure, word in names.items():
        if not said[word]:
            raise Fails(failure)
    if said["key"] != CREDENTIALS["key"]:
        raise Fails("key_invalid")
    if said["passphrase"] != CREDENTIALS["passphrase"]:
        raise Fails("passphrase_wrong")
    if not _MOMENT.match(said["timestamp"]):
        raise Fails("timestamp_invalid")
    moment = datetime.fromisoformat(said["timestamp"])
    if abs((datetime.now(UTC) - moment).total_seconds()) > _TOLERANCE_S:
        raise Fails("timestamp_invalid")
    signed = f"{said['timestamp']}{asked.method}{asked.target}".encode() + asked.raw
    digest = hmac.digest(CREDENTIALS["secret"].encode(), signed, sha256)
    if not hmac.compare_digest(base64.b64encode(digest).decode(), said["sign"]):
        raise Fails("signature_invalid")
