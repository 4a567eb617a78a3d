"""What the compiled contracts refuse on the sandbox's chains, and that every real venue there still passes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.devnet.upstreams.settlement import COMPILED
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.unowned_addresses import BURN_ADDRESSES, LAST_RESERVED, is_unowned
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import encode_call, selector
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.routing.evm.bridge_call import BRIDGE, BRIDGE_ORDER
from rhumbline.routing.evm.router_call import FEE, OPERATION, ORDER, SWAP

TERMS = "(address,address,address,address,uint256)"
EXECUTE = f"executeSwap({TERMS},address[],{OPERATION}[])"
TARGET_REFUSED = selector("TargetRefused(address)")
OPERATION_FAILED = selector("OperationFailed(uint256,bytes)")
RECEIVER_REFUSED = selector("ReceiverRefused(bytes32)")
REFUND_REFUSED = selector("RefundAddressRefused(address)")
RECIPIENT_REFUSED = selector("FeeRecipientRefused(address)")
SOMEBODY = "0x1234567890123456789012345678901234567890"
PLACE = "0x7777777777777777777777777777777777777777"
VENUES = ["uniswap_v2_router", "swap_router_02", "quoter_v2", "spoke_pool", "spoke_pool_periphery", "multicall_handler"]
KEEPERS = ["weth9", "position_manager", "permit2"]


async def reverted(chain: SandboxChain, call: Mapping[str, Any], overrides: Mapping[str, Any] | None = None) -> bytes:
    """What a call reverts with, empty where it does not."""
    async with HttpClient() as http:
        node = EvmRpc(chain.rpc_url, http, chain.key)
        try:
            await node.call("eth_call", [call, "latest", dict(overrides or {})])
        except RpcError as error:
            return error.data or error.message.encode()
        else:
            return b""


async def of_calling(chain: SandboxChain, target: str, overrides: Mapping[str, Any] | None = None) -> bytes:
    """What the Executor answers who has it call a target with four bytes that mean nothing anywhere."""
    weth = chain.contracts["weth9"]
    operation = (0, target, NATIVE_EVM, NATIVE_EVM, 0, 0, b"\xfe\xed\xfa\xce")
    arguments = [(SOMEBODY, SOMEBODY, weth, weth, 0), [], [operation]]
    data = encode_call(EXECUTE, [TERMS, "address[]", f"{OPERATION}[]"], arguments)
    call = {"from": SOMEBODY, "to": chain.contracts["executor"], "data": "0x" + data.hex()}
    return (await reverted(chain, call, overrides))[:4]


@pytest.mark.parametrize("name", VENUES)
async def test_venues_of_the_sandbox_are_called(sandbox: Sandbox, name: str) -> None:
    chain = sandbox.chain("sbxa")
    assert await of_calling(chain, chain.contracts[name]) in (b"", OPERATION_FAILED)


@pytest.mark.parametrize("path", sorted(COMPILED.glob("*.json")), ids=lambda path: path.stem)
async def test_what_settles_for_upstreams_is_called(sandbox: Sandbox, path: Path) -> None:
    code = str(json.loads(path.read_text("utf-8"))["runtime"])
    assert await of_calling(sandbox.chain("sbxa"), PLACE, {PLACE: {"code": code}}) in (b"", OPERATION_FAILED)


@pytest.mark.parametrize("name", KEEPERS)
async def test_what_keeps_rights_is_refused(sandbox: Sandbox, name: str) -> None:
    chain = sandbox.chain("sbxa")
    assert await of_calling(chain, chain.contracts[name]) == TARGET_REFUSED


async def test_tokens_and_shares_in_pools_are_refused(sandbox: Sandbox) -> None:
    chain = sandbox.chain("sbxa")
    pairs = [pool.address for pool in chain.pools if pool.kind == "uniswap_v2"]
    assert pairs
    for address in [*(token.address for token in chain.tokens.values()), *pairs]:
        assert await of_calling(chain, address) == TARGET_REFUSED, address


def near(number: int) -> list[str]:
    return [f"0x{each:040x}" for each in (number - 1, number, number + 1) if 0 <= each < 2**160]


ADDRESSES = [
    *near(0),
    *near(0xDEAD),
    *near(LAST_RESERVED),
    *(each for burnt in sorted(BURN_ADDRESSES) for each in near(burnt)),
]


async def of_swap(chain: SandboxChain, receiver: str, recipient: str) -> bytes:
    weth = chain.contracts["weth9"]
    order: tuple[object, ...] = (bytes(32), bytes(32), bytes(32), receiver, NATIVE_EVM, 100, weth, 1, 2**40, 0, [])
    wrap = (1, weth, NATIVE_EVM, NATIVE_EVM, 2**256 - 1, 0, b"")
    data = encode_call(SWAP, [ORDER, f"{FEE}[]", f"{OPERATION}[]"], [order, [(recipient, bytes(32), 0)], [wrap]])
    sender = {"from": SOMEBODY, "to": chain.contracts["diamond"], "value": hex(100)}
    return (await reverted(chain, {**sender, "data": "0x" + data.hex()}, {SOMEBODY: {"balance": hex(10**18)}}))[:4]


async def of_bridge(chain: SandboxChain, receiver: bytes, refund_to: str) -> bytes:
    order: tuple[object, ...] = (
        *(bytes(32), bytes(32), bytes(32), receiver, 2, NATIVE_EVM, 100, NATIVE_EVM, 100, bytes(32), 1, 1, refund_to),
        *(False, bytes(32), 2**40, 0, []),
    )
    pay = (3, PLACE, NATIVE_EVM, NATIVE_EVM, 100, 0, b"")
    data = encode_call(BRIDGE, [BRIDGE_ORDER, f"{FEE}[]", f"{OPERATION}[]"], [order, [], [pay]])
    sender = {"from": SOMEBODY, "to": chain.contracts["diamond"], "value": hex(100)}
    return (await reverted(chain, {**sender, "data": "0x" + data.hex()}, {SOMEBODY: {"balance": hex(10**18)}}))[:4]


@pytest.mark.parametrize("address", ADDRESSES)
async def test_the_contracts_have_the_services_list_of_nobodies(sandbox: Sandbox, address: str) -> None:
    chain, nobody = sandbox.chain("sbxa"), is_unowned(address)
    assert await of_swap(chain, address, SOMEBODY) == (RECEIVER_REFUSED if nobody else b"")
    assert await of_swap(chain, SOMEBODY, address) == (RECIPIENT_REFUSED if nobody else b"")
    assert await of_bridge(chain, evm_word(address), SOMEBODY) == (RECEIVER_REFUSED if nobody else b"")
    assert await of_bridge(chain, evm_word(SOMEBODY), address) == (REFUND_REFUSED if nobody else b"")
    assert await of_bridge(chain, b"\x01" + evm_word(address)[1:], SOMEBODY) == b"", "a key of another kind of chain"
