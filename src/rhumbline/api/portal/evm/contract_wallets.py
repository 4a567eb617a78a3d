"""Signatures of contract wallets: ERC-1271, also of wallets that are not deployed yet (ERC-6492), read 2026-11-27.

The chain's own nodes are asked, all endpoints: what one of them says alone would let whoever runs it sign in as anybody
who is a contract.
"""

import asyncio
import re
from collections import Counter

from eth_utils.crypto import keccak

from rhumbline.api.portal.contract_verdict import ContractVerdict
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.nodes.evm.deployment import artifact
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError

_SIGNATURE = re.compile(r"0x(?:[0-9a-fA-F]{2}){1,7000}\Z", re.ASCII)
_WORD = re.compile(r"0x[0-9a-fA-F]{64}\Z", re.ASCII)
_GAS = 15_000_000
"""Below what one transaction may have (EIP-7825); a signature by passkey, checked in Solidity, takes 400,000."""
_VERDICTS = (
    ContractVerdict.REFUSED,
    ContractVerdict.ACCEPTED,
    ContractVerdict.NO_CONTRACT,
    ContractVerdict.DELEGATED,
)
"""By the number that the check answers."""


async def contract_verdict(rpc: EvmRpc, address: str, text: str, signature: str) -> ContractVerdict:
    """Return what the wallet at an address says of its personal signature (EIP-191) of a text.

    ACCEPTED needs more than half of the chain's endpoints, and none that says otherwise; UNKNOWN is told where too few
    answer.
    """
    if not _SIGNATURE.match(signature):
        return ContractVerdict.REFUSED
    asked = encode_args(["address", "bytes32", "bytes"], [address, _digest(text), bytes.fromhex(signature[2:])])
    call = {"data": "0x" + (artifact("SignatureCheck").creation_code + asked).hex(), "gas": hex(_GAS)}
    every = rpc.each()
    said = Counter(await asyncio.gather(*(_verdict(endpoint, call) for _, endpoint in every)))
    silent = said.pop(ContractVerdict.UNKNOWN, 0)
    if len(said) != 1:
        # They contradict each other: one of them lies or is behind.
        return min(said, key=_STRICTEST.index, default=ContractVerdict.UNKNOWN)
    (verdict,) = said
    return ContractVerdict.UNKNOWN if verdict is ContractVerdict.ACCEPTED and 2 * silent >= len(every) else verdict


_STRICTEST = (
    ContractVerdict.REFUSED,
    ContractVerdict.DELEGATED,
    ContractVerdict.NO_CONTRACT,
    ContractVerdict.ACCEPTED,
)


async def _verdict(rpc: EvmRpc, call: dict[str, str]) -> ContractVerdict:
    try:
        answer = await rpc.call("eth_call", [call, "latest"])
    except RpcError as error:
        # The check reverts where the signature is wrapped and cannot be read.
        return ContractVerdict.REFUSED if error.is_revert else ContractVerdict.UNKNOWN
    except (NodeRefused, NodeUnavailable):
        return ContractVerdict.UNKNOWN
    if not isinstance(answer, str) or not _WORD.match(answer):
        return ContractVerdict.UNKNOWN
    number = int(answer, 16)
    return _VERDICTS[number] if number < len(_VERDICTS) else ContractVerdict.UNKNOWN


def _digest(text: str) -> bytes:
    """Return what a wallet signs of a text by `personal_sign` (EIP-191)."""
    written = text.encode()
    return keccak(b"\x19Ethereum Signed Message:\n%d%s" % (len(written), written))
