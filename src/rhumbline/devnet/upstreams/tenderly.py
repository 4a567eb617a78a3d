"""An emulator of Tenderly's simulations: it really runs the transaction, on the sandbox chain that the request names.

https://docs.tenderly.co/api-reference/simulations/simulate-transaction, read 2026-11: ``POST
/api/v1/account/{account}/project/{project}/simulate``, the header ``X-Access-Key``, ``network_id`` a text. Logs come
undecoded under ``raw`` in quick mode, which alone is spoken here; ``logs`` is null where there are none. Failures are
``{"error": {"id", "slug", "message"}}``; their slugs are guesses.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.emulator import Emulator, Fails, Failure, Lie, answer, received
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.nodes.evm.rpc import RpcError, hex_bytes, quantity

ACCOUNT, PROJECT, ACCESS_KEY = "sandbox", "quotes", "sandbox-tenderly-key"
_ERROR_ID = "00000000-0000-4000-8000-000000000000"
_TEXTS = frozenset({"network_id", "from", "to", "input", "gas_price", "value", "simulation_type"})
_KNOWN = _TEXTS | {"gas", "save", "save_if_fails", "state_objects", "block_number"}
_STATE = MappingProxyType({"balance": "balance", "code": "code", "storage": "stateDiff", "nonce": "nonce"})
_LOG = ("address", "topics", "data")
_WORD = 32


def _error(slug: str, message: str) -> Mapping[str, object]:
    return {"error": {"id": _ERROR_ID, "slug": slug, "message": message}}


class Tenderly(Emulator):
    """Simulations of a sandbox account's project."""

    key = "TENDERLY"
    lies = frozenset({Lie.WORSE_OUTPUT})
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "bad_request": Failure(400, _error("invalid_request", "The request is not valid.")),
            "unauthorized": Failure(401, _error("unauthorized", "The access key is not valid.")),
            "not_found": Failure(404, _error("resource_not_found", "There is no such project.")),
            "not_run": Failure(400, _error("invalid_transaction_simulation", "The transaction cannot be run.")),
            "rate_limited": Failure(429, _error("rate_limited", "Too many requests."), {"retry-after": "30"}),
            "internal": Failure(500, _error("internal_server_error", "Something went wrong.")),
        }
    )

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        """Return the endpoint."""
        return [web.post("/api/v1/account/{account}/project/{project}/simulate", self._simulate)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return nothing: it is no adapter's upstream, and has no contracts."""
        return MappingProxyType({})

    async def _simulate(self, request: web.Request) -> web.Response:
        if request.headers.get("X-Access-Key") != ACCESS_KEY:
            raise Fails("unauthorized")
        if (request.match_info["account"], request.match_info["project"]) != (ACCOUNT, PROJECT):
            raise Fails("not_found")
        body = _checked(received(request).body)
        ran = await self._run(body)
        output = hex_bytes(ran["returnData"])
        if self.tells(Lie.WORSE_OUTPUT):
            output = _with_less(output)
        return answer(_written(body, ran, output))

    async def _run(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        chains = {str(number): number for number in self.world.evm_chains}
        if body["network_id"] not in chains:
            raise Fails("bad_request")
        overrides = {
            address: {_STATE[key]: value for key, value in state.items()}
            for address, state in body.get("state_objects", {}).items()
        }
        call = {"from": body["from"], "to": body["to"], "data": body["input"], "gas": hex(body["gas"])}
        call["value"] = hex(int(body.get("value", "0")))
        block = {"stateOverrides": overrides, "calls": [call]}
        try:
            found: Any = await self.world.rpc(chains[body["network_id"]]).call(
                "eth_simulateV1", [{"blockStateCalls": [block], "validation": False}, "latest"]
            )
        except RpcError:
            raise Fails("not_run") from None
        ran: Mapping[str, Any] = found[0]["calls"][0]
        return ran


def _checked(body: object) -> Mapping[str, Any]:
    if not isinstance(body, dict) or not {"network_id", "from", "to", "input", "gas"} <= body.keys() <= _KNOWN:
        raise Fails("bad_request")
    if not all(isinstance(body[key], str) for key in _TEXTS & body.keys()) or body.get("simulation_type") != "quick":
        raise Fails("bad_request")
    if type(body["gas"]) is not int or not is_address(body["from"]) or not is_address(body["to"]):
        raise Fails("bad_request")
    state = body.get("state_objects", {})
    if not isinstance(state, dict) or not all(
        is_address(address) and isinstance(each, dict) and each.keys() <= _STATE.keys()
        for address, each in state.items()
    ):
        raise Fails("bad_request")
    return body


def _written(body: Mapping[str, Any], ran: Mapping[str, Any], output: bytes) -> Mapping[str, object]:
    ok, used = ran["status"] == "0x1", quantity(ran["gasUsed"])
    logs = [
        {
            "name": "",
            "anonymous": False,
            "inputs": None,
            "raw": {key: log[key] for key in ("address", "topics", "data")},
        }
        for log in ran.get("logs") or []
    ]
    return {
        "transaction": {
            "network_id": body["network_id"],
            "from": body["from"].lower(),
            "to": body["to"].lower(),
            "gas": body["gas"],
            "gas_used": used,
            "status": ok,
            "error_message": "" if ok else "execution reverted",
            "transaction_info": {
                "call_trace": {"call_type": "CALL", "gas_used": used, "output": "0x" + output.hex(), "calls": None},
                "logs": logs or None,
            },
        },
        "simulation": {"id": _ERROR_ID, "network_id": body["network_id"], "status": ok, "gas_used": used},
        "contracts": [],
        "generated_access_list": [],
    }


def _with_less(output: bytes) -> bytes:
    """Take one off the last word, where a balance stands that was asked for after everything else."""
    last = int.from_bytes(output[-_WORD:])
    return output[:-_WORD] + max(0, last - 1).to_bytes(_WORD)
