"""The required fields of a posted step in the document: no more than the service reads."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rhumbline.api.parameters.parameter import Amount
from rhumbline.api.wire.arrival_request import CALL_SCHEMA, DESTINATION_GAS
from rhumbline.domain.plan import StepType

POSTED_STEP = "PostedStep"
_TEXT: Mapping[str, object] = MappingProxyType({"type": "string"})
_AMOUNT = Amount().schema
_NUMBER: Mapping[str, object] = MappingProxyType({"type": "number", "minimum": 0, "maximum": 1})


def posted_step() -> dict[str, Any]:
    """Return the schema of a step in a request; members that are not named here may be there and are not read."""
    action = {
        "fromChainId": {"type": "integer"},
        "toChainId": {"type": "integer"},
        "fromToken": _token(),
        "toToken": _token(),
        "fromAmount": dict(_AMOUNT),
        "slippage": dict(_NUMBER),
        "slippageMode": {"type": "string", "enum": ["auto"]},
        "destinationGas": {**DESTINATION_GAS.rule.schema, "description": "As in the answer. Beyond the contract."},
        "destinationCall": {**CALL_SCHEMA, "description": "As in the answer. Beyond the contract."},
        "fromAddress": _described("`context.senderAddress`, if given."),
        "refundTo": _described("Who gets the tokens back on the origin, as in the answer."),
        "toAddress": _described("One of the two wallets of `context`; the final receiver if omitted."),
    }
    estimate = {
        "fromAmount": {**_AMOUNT, "description": "As in `action`."},
        "toAmount": dict(_AMOUNT),
        "toAmountMin": {**_AMOUNT, "description": "Not more than `toAmount`."},
        "fees": {"type": "object", "description": "`total` and `breakdown`, as in the answer."},
    }
    execution = {
        "applyFee": {"type": "boolean", "description": "Whether this step takes the fees of the route."},
        "requiresPreviousStepAmount": {
            "type": "boolean",
            "description": "If true, `context.previousStepReceivedAmount` is required.",
        },
        "routeRequest": {
            "type": "object",
            "description": "As in the answer: it contains the proof that an earlier step has taken the fees.",
        },
    }
    members = {
        "id": _described("The route's ID, a colon and the step's number."),
        "routeId": dict(_TEXT),
        "type": {"type": "string", "enum": [str(kind) for kind in StepType]},
        "tool": _described("An adapter's key of `GET /v1/tools`; new keys may be added."),
        "action": _object(action, "fromChainId toChainId fromToken toToken fromAmount"),
        "estimate": _object(estimate, "fromAmount toAmount toAmountMin fees"),
        "execution": _object(execution, "applyFee"),
        "integrator": dict(_TEXT),
        "fee": {"type": "number", "minimum": 0, "maximum": 0.1},
    }
    description = "A posted step: as in the answer, or as another service's client has it. Nothing in it is trusted."
    return {**_object(members, "id routeId type tool action estimate execution"), "description": description}


def _object(properties: Mapping[str, object], required: str) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": dict(properties)}


def _described(text: str) -> dict[str, object]:
    return {**_TEXT, "description": text}


def _token() -> dict[str, Any]:
    number = {"type": "integer"}
    return _object({"address": dict(_TEXT), "symbol": dict(_TEXT), "decimals": number, "chainId": number}, "address")
