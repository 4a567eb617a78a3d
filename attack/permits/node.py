"""A node that lies about what permits are read from: separators, names, nonces, allowances, and code."""

import random
from dataclasses import dataclass, replace
from typing import Any, cast

from eth_utils.crypto import keccak

from attack.scene import Scene
from rhumbline.gateways.evm.abi import decode_args, encode_args
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.routing.evm.permit_call import PERMIT2

_ANSWER = ("uint256", "bytes32", "(bool,bytes)[]")
_SEPARATOR, _DESCRIBED, _NAME, _VERSION, _NONCE, _STAND_INS, _ALLOWANCE, _PERMIT2 = range(8)
_DOMAIN = keccak(text="EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")
_CODE = "0x6001"
_WAYS = 12


@dataclass(frozen=True)
class LyingNode:
    """Answers as the genuine node does, but for the reads of a permit; ``seed`` says which of them, and how."""

    genuine: EvmRpc
    token: str
    chain_id: int
    seed: int

    def __getattr__(self, name: str) -> Any:
        """Leave everything else to the genuine node."""
        return getattr(self.genuine, name)

    async def call(self, method: str, params: list[object]) -> object:
        """Say of a plain wallet, in some cases, that it has code."""
        if method == "eth_getCode" and self.seed % _WAYS == _WAYS - 1:
            return _CODE
        return await self.genuine.call(method, params)

    async def eth_call(self, to: str, data: bytes, block: str = "latest") -> bytes:
        """Alter the answer to eight reads at once, which are those of a permit."""
        answer = await self.genuine.eth_call(to, data, block)
        number, block_hash, results = decode_args(_ANSWER, answer)
        found = [list(each) for each in cast(list[tuple[bool, bytes]], results)]
        if len(found) == _PERMIT2 + 1:
            self._alter(found)
        return encode_args(_ANSWER, (number, block_hash, [tuple(each) for each in found]))

    def _alter(self, found: list[list[Any]]) -> None:
        rng, way = random.Random(f"node {self.seed}"), self.seed % _WAYS
        one_more = (int.from_bytes(found[_NONCE][1]) + 1).to_bytes(32)
        if way == 0:
            found[_SEPARATOR][1] = rng.randbytes(32)
        elif way == 1:
            # A domain that hashes to its separator, and is not the token's.
            self._tell_domain(found, "Another Coin", "1", self.token)
        elif way == 2:
            self._tell_domain(found, "Permit2", "1", PERMIT2)
        elif way == 3:
            found[_NONCE][1] = one_more
        elif way == 4:
            found[_NONCE][1] = b"\xff" * 32
        elif way == 5:
            found[_STAND_INS][1] = b"\xff" * 32
        elif way == 6:
            found[_NONCE][0] = False
        elif way == 7:
            found[_ALLOWANCE] = [True, b"\xff" * 32]
            found[_SEPARATOR][0] = False
        elif way == 8:
            found[_ALLOWANCE] = [True, bytes(32)]
        elif way == 9:
            found[_PERMIT2][1] = found[_SEPARATOR][1]
        elif way == 10:
            found[rng.randrange(len(found))] = [True, rng.randbytes(rng.choice((0, 31, 32, 33, 500)))]

    def _tell_domain(self, found: list[list[Any]], name: str, version: str, place: str) -> None:
        hashes = keccak(text=name), keccak(text=version)
        words = (_DOMAIN, *hashes, self.chain_id, place)
        types = ("bytes32", "bytes32", "bytes32", "uint256", "address")
        found[_SEPARATOR] = [True, keccak(encode_args(types, words))]
        found[_DESCRIBED] = [False, b""]
        found[_NAME] = [True, encode_args(("string",), (name,))]
        found[_VERSION] = [True, encode_args(("string",), (version,))]


def with_lying_node(scene: Scene, seed: int) -> Scene:
    """Return the scene asked of a service whose node lies; chains, wallets and simulations are the same."""
    chain = scene.service.chain(scene.ask.origin)
    node = LyingNode(scene.service.rpcs[chain.id], scene.tokens[0].address, chain.id, seed)
    rpcs = {**scene.service.rpcs, chain.id: cast(EvmRpc, node)}
    return replace(scene, service=replace(scene.service, rpcs=rpcs))
