"""An emulator of Tenderly's simulations: it executes the transaction on the sandbox chain that the request names.

https://docs.tenderly.co/api-reference/simulations/simulate-transaction, read 2026-11: ``POST
/api/v1/account/{account}/project/{project}/simulate``, the header ``X-Access-Key``, ``network_id`` a text. In quick
mode, the only one supported here, logs are undecoded under ``raw``; ``logs`` is null if there are none. Failures are
``{"error": {"id", "slug", "message"}}``; their slugs are guesses.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.emulator import Emulator, Fails, Failure, Lie, answer, received
from rhumbline.devnet.upstreams.parameters import Parameters, anything, evm_address, integer, one_of, refusal, text
from rhumbline.gateways.evm.address import is_address
from rhumbline.gateways.nodes.evm.rpc import RpcError, hex_bytes, quantity

ACCOUNT, PROJECT, ACCESS_KEY = "sandbox", "quotes", "sandbox-tenderly-key"
_ERROR_ID = "00000000-0000-4000-8000-000000000000"
_STATE = MappingProxyType({"balance": "balance", "code": "code", "storage": "stateDiff", "nonce": "nonce"})
_WORD = 32


def _error(slug: str, message: str) -> Mapping[str, object]:
    return {"error": {"id": _ERROR_ID, "slug": slug, "message": message}}


class Tenderly(Emulator):
    """Simulations of a project in a sandbox account."""

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
        return [web.post("/api/v1/account/{account}/project/{project}/simulate", self._simulate)]

    async def _simulate(self, request: web.Request) -> web.Response:
        if request.headers.get("X-Access-Key") != ACCESS_KEY:
            raise Fails("unauthorized")
        if (request.match_info["account"], request.match_info["project"]) != (ACCOUNT, PROJECT):
            raise Fails("not_found")
        body = _REQUEST.values(received(request).body)
        ran = await self._run(body)
        output = hex_bytes(ran["returnData"])
        if self.tells(Lie.WORSE_OUTPUT):
            output = _with_less(output)
        return answer(_written(body, ran, output))

    async def _run(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        chain_id = self.chain_by_number(body["network_id"], "bad_request")
        overrides = {
            address: {_STATE[key]: value for key, value in state.items()}
            for address, state in body.get("state_objects", {}).items()
        }
        call = {"from": body["from"], "to": body["to"], "data": body["input"], "gas": hex(body["gas"])}
        call["value"] = hex(int(body.get("value", "0")))
        block = {"stateOverrides": overrides, "calls": [call]}
        try:
            found: Any = await self.world.rpc(chain_id).call(
                "eth_simulateV1", [{"blockStateCalls": [block], "validation": False}, "latest"]
            )
        except RpcError:
            raise Fails("not_run") from None
        ran: Mapping[str, Any] = found[0]["calls"][0]
        return ran


def _state(value: object) -> bool:
    return isinstance(value, dict) and all(
        is_address(address) and isinstance(each, dict) and each.keys() <= _STATE.keys()
        for address, each in value.items()
    )


_REQUEST = Parameters(
    {"network_id": text, "from": evm_address, "to": evm_address, "input": text, "gas": integer,
     "simulation_type": one_of("quick")},
    {"gas_price": text, "value": text, "save": anything, "save_if_fails": anything, "state_objects": _state,
     "block_number": anything},
    wrong=refusal("bad_request"),
    unknown=refusal("bad_request"),
)  # fmt: skip


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
    """Subtract one from the last word, which is the last balance that was asked for."""
    last = int.from_bytes(output[-_WORD:])
    return output[:-_WORD] + max(0, last - 1).to_bytes(_WORD)
