"""The request for a step's transaction: the client's own copy of a step, in which nothing is trusted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rhumbline.api.parameters.parameter import Amount, Reading, Unreadable, shown
from rhumbline.api.parameters.source import text_of
from rhumbline.api.wire.arrival_request import DESTINATION_CALL, call_text
from rhumbline.api.wire.quote_request import parse_quote_request
from rhumbline.api.wire.solana_terms import SOLANA_PARAMETERS
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.account import ApiClient
from rhumbline.domain.adapter import Capability
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.plan import StepRequest, StepType
from rhumbline.domain.route import TradeType
from rhumbline.gateways.chain_types.addresses import canonical_address
from rhumbline.gateways.http.strict_json import Json

_ID = re.compile(r"(?P<route>.{1,200}):(?P<index>[0-9]{1,3})\Z", re.DOTALL)
_PROOF = "feeProof"
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "senderAddress": "context.senderAddress",
        "originChainId": "step.action.fromChainId",
        "destinationChainId": "step.action.toChainId",
        "originCurrency": "step.action.fromToken.address",
        "destinationCurrency": "step.action.toToken.address",
        "amount": "step.action.fromAmount",
        "integrator": "step.integrator",
        "fee": "step.fee",
        "slippageMode": "step.action.slippageMode",
        "destinationGas": "step.action.destinationGas",
        "refundTo": "step.action.refundTo",
    }
)
"""A quote's parameters in the spelling of a step."""
_OBJECTS: Mapping[str, str] = MappingProxyType(
    {
        "step": "id, routeId, type, tool, action, estimate and execution, as in the answer",
        "step.action": "fromChainId, toChainId, fromToken, toToken and fromAmount, as in the answer",
        "step.action.fromToken": "address, symbol, decimals and chainId, as in the answer",
        "step.action.toToken": "address, symbol, decimals and chainId, as in the answer",
        "step.estimate": "fromAmount, toAmount, toAmountMin and fees, as in the answer",
        "step.estimate.fees": "total and breakdown, as in the answer",
        "step.execution": "applyFee, as in the answer",
        "context": "senderAddress, which signs this step, and receiverAddress, the route's final receiver",
    }
)
"""The objects of a body with their members; outer ones first."""
_NUMERIC = frozenset({"originChainId", "destinationChainId", "fee", "slippage"})


@dataclass(slots=True)
class _Body:
    """The body and its faults so far."""

    members: Mapping[str, Json]
    faults: list[str] = field(default_factory=list)

    def at(self, path: str) -> Json:
        """Return the member at a path of names; None where there is none."""
        found: Json = dict(self.members)
        for name in path.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def text(self, path: str, *, numeric: bool = False, required: bool = False) -> str | None:
        value = self.at(path)
        if value is None:
            if required:
                self.faults.append(f"{path} is missing")
            return None
        text = text_of(value, numeric=numeric)
        fault = f"{path} must be a JSON {'number' if numeric else 'string'}"
        if text is None and fault not in self.faults:
            self.faults.append(fault)
        return text

    def amount(self, path: str, *, required: bool = False) -> int | None:
        text = self.text(path, required=required)
        if text is None:
            return None
        try:
            return Amount().read(text)
        except Unreadable as fault:
            self.faults.append(f"{path} {fault}")
            return None

    def flag(self, path: str, *, required: bool = False) -> bool:
        value = self.at(path)
        if isinstance(value, bool):
            return value
        if value is not None or required:
            self.faults.append(f"{path} must be true or false")
        return False


def parse_step_request(
    document: Mapping[str, Json], caller: ApiClient, chains: ChainCatalog, adapters: Mapping[str, Capability]
) -> StepRequest:
    """Read and check a step with its context, without any I/O; ``adapters`` are the tools that there are.

    Raise InvalidRequest with all faults at once, else as ``parse_quote_request`` does.
    """
    body = _Body(document)
    _expect_objects(body)
    route_id, index = _identity(body)
    tool = body.text("step.tool", required=True)
    if tool is not None and tool.upper() not in adapters:
        body.faults.append(f"step.tool names {shown(tool)}, which is not a known tool: see GET /v1/tools")
    _check_type(body)
    _check_tokens(body)
    _check_estimate(body)
    fees_taken = not body.flag("step.execution.applyFee", required=True)
    names = {
        **_NAMES,
        "amount": _amount_path(body),
        "receiverAddress": _first(body, "step.action.toAddress", "context.receiverAddress"),
        "slippage": _first(body, "context.slippage", "step.action.slippage"),
        **{
            each.name: _first(body, f"context.{each.name}", f"step.execution.quoteRequest.{each.name}")
            for each in SOLANA_PARAMETERS
        },
    }
    _check_wallets(body, chains)
    texts = {name: body.text(path, numeric=name in _NUMERIC) for name, path in names.items()}
    if body.flag("context.permits"):
        texts["permits"] = "true"
    source = {name: [text] for name, text in texts.items() if text is not None}
    if (call := body.at(f"step.action.{DESTINATION_CALL.name}")) is not None:
        source[DESTINATION_CALL.name] = [call_text(call) if isinstance(call, dict) else str(call)]
    reading = Reading(source, body.faults, names)
    request = parse_quote_request(reading, caller, chains, adapters)
    exact = body.at("step.execution.routeRequest.tradeType") == TradeType.EXACT_OUTPUT
    if exact and body.at("context.amountOverride") is None:
        # The route's output was planned with what the step guarantees, so no less will do for the planned input.
        request = replace(request, wanted_output=body.amount("step.estimate.toAmountMin", required=True))
    proof = body.at(f"step.execution.routeRequest.{_PROOF}")
    return StepRequest(
        route_id=route_id,
        index=index,
        tool=(tool or "").upper(),
        request=request,
        fees_taken=fees_taken,
        fee_proof=proof if isinstance(proof, str) else None,
    )


def _expect_objects(body: _Body) -> None:
    """Raise InvalidRequest for parts that are no objects, without a fault for each member that they lack."""
    faults: list[str] = []
    for path, members in _OBJECTS.items():
        inside = any(path.startswith(fault.split()[0] + ".") for fault in faults)
        if not inside and not isinstance(body.at(path), dict):
            faults.append(f"{path} must be an object with {members}")
    if faults:
        raise InvalidRequest(faults)


def _identity(body: _Body) -> tuple[str, int]:
    route_id, identifier = body.text("step.routeId", required=True), body.text("step.id", required=True)
    if route_id is None or identifier is None:
        return "", 0
    found = _ID.match(identifier)
    if found is None or found["route"] != route_id:
        body.faults.append("step.id must be the routeId, a colon and the step's number, as in the answer")
        return "", 0
    return route_id, int(found["index"])


def _check_type(body: _Body) -> None:
    type_ = body.text("step.type", required=True)
    ends = body.at("step.action.fromChainId"), body.at("step.action.toChainId")
    if type_ is not None and type_ not in set(StepType):
        body.faults.append(f"step.type must be swap or bridge; got {shown(type_)}")
    elif type_ is not None and None not in ends and (type_ == StepType.SWAP) is not (str(ends[0]) == str(ends[1])):
        body.faults.append("step.type must be swap within one chain and bridge between two, as step.action says")


def _check_tokens(body: _Body) -> None:
    """Hold each token to its end's chain: the native asset's address is the same on all of one type."""
    for chain, token in (("fromChainId", "fromToken"), ("toChainId", "toToken")):
        path, own = f"step.action.{chain}", f"step.action.{token}.chainId"
        found, stated = body.text(own, numeric=True), body.at(path)
        if found is not None and stated is not None and found != text_of(stated, numeric=True):
            body.faults.append(f"{own} must be {path}")


def _check_estimate(body: _Body) -> None:
    expected = body.amount("step.estimate.toAmount", required=True)
    least = body.amount("step.estimate.toAmountMin", required=True)
    paid, planned = body.amount("step.estimate.fromAmount", required=True), body.at("step.action.fromAmount")
    if expected is not None and least is not None and least > expected:
        body.faults.append("step.estimate.toAmountMin must not be more than step.estimate.toAmount")
    if paid is not None and isinstance(planned, str) and planned != str(paid):
        body.faults.append("step.estimate.fromAmount must be step.action.fromAmount: ask for the route again")


def _amount_path(body: _Body) -> str:
    """Return the path of the step's input: what the previous step delivered, the caller's override, or the plan."""
    received, own = "context.previousStepReceivedAmount", "context.amountOverride"
    if body.at(received) is not None and body.at(own) is not None:
        body.faults.append(f"{own} must not be given beside {received}")
    if body.flag("step.execution.requiresPreviousStepAmount") and body.at(received) is None:
        body.faults.append(f"{received} is missing: give the amount that the previous step delivered")
    return _first(body, received, own, _NAMES["amount"])


def _first(body: _Body, *paths: str) -> str:
    """Return the first path with a value, else the last."""
    return next((path for path in paths if body.at(path) is not None), paths[-1])


def _check_wallets(body: _Body, chains: ChainCatalog) -> None:
    """Hold the step's two ends to the two wallets of the context."""
    sender, final = body.text("context.senderAddress"), body.text("context.receiverAddress", required=True)
    recipient = body.text("step.action.toAddress")
    signer = body.text("step.action.fromAddress")
    chain_id = body.at("step.action.toChainId")
    chain = chains.by_id.get(chain_id) if isinstance(chain_id, int) else None

    def same(one: str | None, other: str | None) -> bool:
        if one is None or other is None or chain is None:
            return one == other
        known = canonical_address(chain.type, one)
        return known is not None and known == canonical_address(chain.type, other)

    if signer is not None and sender is not None and signer.lower() != sender.lower():
        body.faults.append("step.action.fromAddress must be context.senderAddress, which signs the step")
    if recipient is not None and not same(recipient, sender) and not same(recipient, final):
        body.faults.append("step.action.toAddress must be context.senderAddress or context.receiverAddress")
