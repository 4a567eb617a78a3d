"""The signer of a message: EIP-191 personal signatures of plain accounts."""

import asyncio
import re

_SIGNATURE = re.compile(r"0x[0-9a-fA-F]{130}\Z", re.ASCII)


async def signer_of(message: str, signature: str) -> str | None:
    """Return the address, in EIP-55 form, whose key made a signature (65 bytes as 0x-hex); None when there is none."""
    if not _SIGNATURE.match(signature):
        return None
    return await asyncio.to_thread(_recovered, message, signature)


def _recovered(message: str, signature: str) -> str | None:
    # The library takes half a second to load: here, and on a thread, because a start should not wait for it.
    from eth_keys.exceptions import BadSignature
    from eth_utils.exceptions import ValidationError

    from rhumbline.gateways.evm.signatures import Account, encode_defunct

    try:
        return str(Account.recover_message(encode_defunct(text=message), signature=signature))
    except (BadSignature, ValidationError, ValueError):
        return None
