"""An upstream that exists in these tests alone: a bridge and exchange on both chains, with a very small protocol."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from aiohttp import web

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.emulator import Emulator, Fails, Failure, Lie, answer, received
from rhumbline.devnet.upstreams.solver import Deposit, Payment, Solver
from rhumbline.devnet.upstreams.world import World
from rhumbline.gateways.evm.abi import decode_args, encode_args

ENTRY = "0x5100000000000000000000000000000000000051"
CHAINS = (900_001, 900_002)
KEY = "sample-key"
STRANGER = "0x00000000000000000000000000000000000bad01"


class SampleUpstream(Emulator):
    key = "SAMPLE"
    failures = MappingProxyType(
        {
            "no_key": Failure(401, {"error": "no key"}),
            "no_pool": Failure(404, {"error": "no pool"}, {"x-reason": "liquidity"}),
            "unknown": Failure(404, {"error": "unknown reference"}, on=("/status",)),
        }
    )
    statuses = ("waiting", "done", "back", "broken")
    lies = frozenset({Lie.OTHER_RECEIVER, Lie.WORSE_OUTPUT})
    code = b""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.solver = Solver(world, dict.fromkeys(CHAINS, (ENTRY,)), self.terms, lambda: self.behaviour)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [web.post("/swap", self.swap), web.get("/status", self.status), web.get("/facts", self.facts)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {chain: {"entry": ENTRY} for chain in CHAINS}

    def more_urls(self) -> Mapping[str, str]:
        return {"files": self.url + "/files"}

    def credentials(self) -> Mapping[str, str]:
        return {"key": KEY}

    async def install(self) -> None:
        for chain in CHAINS:
            await self.world.install_code(chain, ENTRY, self.code)

    async def run(self) -> None:
        await self.solver.run()

    async def terms(self, deposit: Deposit) -> Payment:
        chain, token, receiver, amount = decode_args(("uint256", "address", "address", "uint256"), deposit.terms)
        if chain not in CHAINS:
            raise LookupError(f"chain {chain}")
        return Payment(int(str(chain)), str(token), str(receiver), int(str(amount)), deposit.depositor)

    async def swap(self, request: web.Request) -> web.StreamResponse:
        asked = received(request)
        if asked.headers.get("x-key") != KEY:
            raise Fails("no_key")
        body = asked.body
        if not isinstance(body, dict) or set(body) != {"chain", "sold", "bought", "amount", "receiver"}:
            raise Fails("no_pool", {"error": "bad request"})
        trade = await self.world.market.quote(body["chain"], body["sold"], body["bought"], int(body["amount"]))
        receiver = STRANGER if self.tells(Lie.OTHER_RECEIVER) else body["receiver"]
        minimum = trade.amount_out // 2 if self.tells(Lie.WORSE_OUTPUT) else trade.amount_out
        plan = encode_args(("address", "bytes"), trade.calldata(ENTRY, 0))
        deadline = await self.world.block_time(body["chain"]) + 60
        signature = "swap(address,uint256,address,uint256,address,uint256,bytes)"
        data = encoded(signature, trade.token_in, trade.amount_in, trade.token_out, minimum, receiver, deadline, plan)
        transaction = {"to": ENTRY, "value": str(trade.value), "data": "0x" + data.hex()}
        return answer({"out": str(trade.amount_out), "transaction": transaction})

    async def status(self, request: web.Request) -> web.StreamResponse:
        dealing = self.solver.deposits.get(request.query.get("reference", ""))
        if dealing is None:
            raise Fails("unknown")
        return answer({"status": self.behaviour.status or dealing.state, "fill": dealing.fill_tx})

    async def facts(self, _: web.Request) -> web.StreamResponse:
        return answer({"amount": "123456789", "number": 55555, "small": 12, "word": 'a "12345" b', "12345": [{"a": 1}]})


def crossing(reference: str, sold: str, amount: int, terms: tuple[int, str, str, int]) -> bytes:
    packed = encode_args(("uint256", "address", "address", "uint256"), terms)
    return encoded("cross(bytes32,address,uint256,bytes)", bytes.fromhex(reference[2:]), sold, amount, packed)
