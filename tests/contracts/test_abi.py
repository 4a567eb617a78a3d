"""The compiled ABI is the one that is documented: who encodes calls by hand, or reads logs, relies on these strings."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from eth_utils.crypto import keccak

from rhumbline.gateways.nodes.evm.deployment import artifact

OPERATIONS = "(uint8,address,address,address,uint256,uint256,bytes)[]"
FEES = "(address,bytes32,uint256)[]"
ORDER = "(bytes32,bytes32,bytes32,address,address,uint256,address,uint256,uint256,uint256,address[])"
BRIDGE_ORDER = (
    "(bytes32,bytes32,bytes32,bytes32,uint256,address,uint256,address,uint256,bytes32,uint256,uint256,address,bool,bytes32,"
    "uint256,uint256,address[])"
)
SWAP_RECORD = "(address,address,uint256,uint256,uint256,address,uint256,uint256,uint256,bytes32)"
BRIDGE_RECORD = (
    "(bytes32,bytes32,uint256,address,uint256,uint256,address,uint256,bytes32,uint256,uint256,uint256,address,bool,bool,"
    "bytes32)"
)


def written(parameter: Mapping[str, Any]) -> str:
    kind = str(parameter["type"])
    if not kind.startswith("tuple"):
        return kind
    return f"({','.join(written(inner) for inner in parameter['components'])}){kind.removeprefix('tuple')}"


def signatures(kind: str, contract: str = "Diamond") -> Iterable[str]:
    entries: Iterable[Mapping[str, Any]] = artifact(contract).abi
    for entry in entries:
        if entry["type"] == kind:
            yield f"{entry['name']}({','.join(written(item) for item in entry['inputs'])})"


def test_functions_are_those_of_the_page() -> None:
    assert set(signatures("function")) == {
        f"swap({ORDER},{FEES},{OPERATIONS})",
        f"bridge({BRIDGE_ORDER},{FEES},{OPERATIONS})",
        "executor()",
        "facets()",
        "facetFunctionSelectors(address)",
        "facetAddresses()",
        "facetAddress(bytes4)",
        "supportsInterface(bytes4)",
    }


def test_events_are_those_of_the_page() -> None:
    assert set(signatures("event")) == {
        f"Swapped(bytes32,address,bytes32,{SWAP_RECORD})",
        f"BridgeStarted(bytes32,address,bytes32,{BRIDGE_RECORD})",
        "FeePaid(bytes32,address,bytes32,address,uint256)",
        "FeeSkipped(bytes32,address,bytes32,address,uint256)",
    }


@pytest.mark.parametrize("name", ["Swapped", "BridgeStarted", "FeePaid", "FeeSkipped"])
def test_the_first_three_fields_of_an_event_are_indexed(name: str) -> None:
    entries: Iterable[Mapping[str, Any]] = artifact("Diamond").abi
    (event,) = [entry for entry in entries if entry["type"] == "event" and entry["name"] == name]
    assert [item["indexed"] for item in event["inputs"]] == [True] * 3 + [False] * (len(event["inputs"]) - 3)


@pytest.mark.parametrize("kind", ["swap", "bridge"])
def test_the_selectors_are_in_the_code(kind: str) -> None:
    (signature,) = [item for item in signatures("function") if item.startswith(f"{kind}(")]
    assert keccak(text=signature)[:4] in artifact("Diamond").runtime_code


def test_the_receivers_functions_are_those_of_the_page() -> None:
    message = f"(bytes32,address,address,uint256,uint256,{OPERATIONS})"
    assert set(signatures("function", "Receiver")) == {
        "handleV3AcrossMessage(address,uint256,address,bytes)",
        f"complete(address,uint256,{message})",
        "executor()",
        "spokePool()",
    }
    assert set(signatures("event", "Receiver")) == {
        "DestinationCompleted(bytes32,address,address,uint256,address,uint256)",
        "Recovered(bytes32,address,address,uint256,bytes)",
    }
