"""Two endpoints of one chain, of which one lies: real nodes, and proxies before them that do what endpoints do."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from rhumbline.devnet.evm.accounts import MNEMONIC
from rhumbline.devnet.evm.nodes import find_anvil, running_anvil
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.metrics import NoMetrics
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms, Lack, Use
from rhumbline.gateways.nodes.endpoints import SetAside, reading
from rhumbline.gateways.nodes.evm.endpoints import evm_endpoints, lack_of
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from tests.gateways.nodes.lying_node import Pair, lying_node, refused, said

CHAIN = 900_101
HEAD = 100
TALL = ("0x" + "11" * 32, 12)


@pytest.fixture(scope="module")
async def client() -> AsyncIterator[HttpClient]:
    async with HttpClient() as http:
        yield http


async def anvil(stack: AsyncExitStack, http: HttpClient, folder: Path, chain_id: int = CHAIN) -> EvmRpc:
    """Run a chain with a hundred blocks, one every twelve seconds, until now."""
    running = running_anvil(
        find_anvil(), chain_id=chain_id, name="sea", mnemonic=MNEMONIC, accounts=1, folder=folder, http=http
    )
    rpc = await stack.enter_async_context(running)
    await rpc.call("anvil_mine", [hex(HEAD), hex(1)])
    return rpc


@pytest.fixture(scope="module")
async def chain(client: HttpClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EvmRpc]:
    async with AsyncExitStack() as stack:
        yield await anvil(stack, client, Path(tmp_path_factory.mktemp("sea")))


@dataclass
class Noted(NoMetrics):
    """Keeps what is noted."""

    requests: list[tuple[str, str, tuple[str, ...], str, str]] = field(default_factory=list)

    def asked_node(
        self, chain: str, node: str, methods: Sequence[str], purpose: str, outcome: str, seconds: float, /
    ) -> None:
        self.requests.append((chain, node, tuple(methods), purpose, outcome))


@dataclass
class NotedPair(Pair):
    noted: Noted

    @property
    def patient(self) -> EvmRpc:
        """Both as who has time asks them: on a busy machine too, the second one is not asked while the first works."""
        made: EvmRpc = self.rpc.of(Use.TRACKING)
        return made


Terms = tuple[EndpointTerms, EndpointTerms]
IN_ORDER = (EndpointTerms("1", 1), EndpointTerms("2", 2))


@pytest.fixture
async def pair(chain: EvmRpc, client: HttpClient) -> AsyncIterator[Callable[..., Any]]:
    async with AsyncExitStack() as stack:

        async def made(terms: Terms = IN_ORDER, other: EvmRpc = chain, timeout_s: float = 20.0) -> NotedPair:
            first, second = [await stack.enter_async_context(lying_node(rpc.url)) for rpc in (chain, other)]
            noted = Noted()
            given = list(zip((first.url, second.url), terms, strict=True))
            rpc = evm_endpoints("sea", CHAIN, given, client, noted, timeout_s)
            found = NotedPair(first, second, rpc, noted)
            block: Any = await chain.call("eth_getBlockByNumber", ["latest", False])
            found.comparison.unix = lambda: quantity(block["timestamp"]) + 5.0
            found.comparison.pause = lambda _: asyncio.sleep(0)
            found.comparison.now = lambda: 0.0
            await found.comparison.refresh(seldom=False, urgent=True)
            for each in (first, second):
                each.asked.clear()
            return found

        yield made


async def test_the_first_in_order_is_asked_alone(pair: Any) -> None:
    both = await pair()
    assert await both.patient.block_number() == HEAD
    assert (both.first.calls.count("eth_blockNumber"), both.second.calls) == (1, [])


@pytest.mark.parametrize("status", [429, 500, 502])
async def test_one_that_fails_costs_no_answer(pair: Any, status: int) -> None:
    both = await pair()
    both.first.status = status
    for _ in range(20):
        assert await both.rpc.block_number() == HEAD
    assert both.first.calls.count("eth_blockNumber") <= 5, "what fails is soon asked last"
    both.first.status = 200
    both.second.status = 500
    assert await both.rpc.block_number() == HEAD, "what failed is asked where nobody else answers"


async def test_one_that_answers_every_third_call_costs_no_answer(pair: Any) -> None:
    both = await pair()
    both.first.every = 3
    for _ in range(40):
        assert await both.rpc.of(Use.TRACKING).block_number() == HEAD
    assert both.first.calls.count("eth_blockNumber") < 10


@pytest.mark.parametrize("use", list(Use))
async def test_one_that_is_silent_is_given_up_within_the_deadline(pair: Any, use: Use) -> None:
    both = await pair(timeout_s=4.0)
    both.first.silent.set()
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert await both.rpc.of(use).block_number() == HEAD
    took_s = loop.time() - began
    assert took_s < (1.9 if use in (Use.QUOTES, Use.SIMULATION) else 4.0)


async def test_where_nobody_answers_the_deadline_holds(pair: Any) -> None:
    both = await pair(timeout_s=0.5)
    both.first.silent.set()
    both.second.silent.set()
    began = asyncio.get_running_loop().time()
    with pytest.raises(NodeUnavailable, match=r"^sea: the node does not answer"):
        await both.rpc.block_number()
    assert asyncio.get_running_loop().time() - began < 2


async def test_what_one_cannot_is_asked_of_the_other_and_learnt(pair: Any) -> None:
    """An endpoint that bills errors is not paid for the same one again and again."""
    both = await pair()
    both.first.lie = lambda call, answer: (
        refused(answer, -32601, "the method does not exist") if call["method"] == "eth_getCode" else None
    )
    for _ in range(5):
        assert await both.patient.code("0x" + "22" * 20) == b""
        assert await both.patient.block_number() == HEAD
    assert both.first.calls.count("eth_getCode") == 1
    assert both.first.calls.count("eth_blockNumber") == 5, "for all else it is the first"
    both.second.lie = both.first.lie
    for _ in range(3):
        with pytest.raises(RpcError, match="does not exist"):
            await both.patient.code("0x" + "22" * 20)
    assert (both.first.calls.count("eth_getCode"), both.second.calls.count("eth_getCode")) == (1 + 3, 5 + 1)
    assert both.patient.lacks("eth_getCode")


async def test_a_range_that_one_refuses_is_read_from_the_other(pair: Any) -> None:
    both = await pair()

    def capped(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        if call["method"] != "eth_getLogs":
            return None
        asked = call["params"][0]
        wide = int(asked["toBlock"], 16) - int(asked["fromBlock"], 16) >= 10
        return refused(answer, -32000, "query exceeds max block range 10") if wide else None

    both.first.lie = capped
    tracking = both.rpc.of(Use.TRACKING)
    wanted = ("eth_getLogs", [{"fromBlock": "0x0", "toBlock": hex(HEAD)}])
    assert await tracking.batch([wanted, ("eth_blockNumber", [])]) == [[], hex(HEAD)]
    both.second.lie = capped
    logs, head = await tracking.batch([wanted, ("eth_blockNumber", [])])
    assert isinstance(logs, RpcError), "then whoever asks has to ask for less"
    assert quantity(head) == HEAD


async def test_a_revert_is_an_answer(pair: Any) -> None:
    both = await pair()
    both.first.lie = lambda call, answer: refused(answer, 3, "execution reverted")
    with pytest.raises(RpcError, match="reverted"):
        await both.patient.eth_call("0x" + "22" * 20, b"")
    assert both.second.calls == []


async def test_one_that_moves_to_another_chain_is_not_asked(pair: Any) -> None:
    """After an hour, without having been away."""
    both = await pair()
    assert await both.rpc.block_number() == HEAD
    both.first.lie = lambda call, answer: (
        said(answer, "0x5") if call["method"] == "eth_chainId" else said(answer, "0x7777")
    )
    identity = both.comparison.every[0].rpc.identity
    assert identity is not None
    identity.doubt()
    assert await both.rpc.block_number() == HEAD
    assert await both.rpc.block_number() == HEAD
    assert (await both.compared())["1"] == "is on chain 5"
    both.first.lie = lambda call, answer: None
    identity.doubt()
    assert (await both.compared())["1"] is None


async def test_where_all_are_on_another_chain_nothing_is_answered(pair: Any) -> None:
    both = await pair()
    for each in (both.first, both.second):
        each.lie = lambda call, answer: said(answer, "0x5") if call["method"] == "eth_chainId" else None
    for each in both.comparison.every:
        each.rpc.identity.doubt()
    with pytest.raises(NodeOnOtherChain, match=r"^sea: the node is on chain 5, which is another chain$"):
        await both.rpc.block_number()
    with pytest.raises(SetAside, match=r"^sea: endpoint 1 is on chain 5; endpoint 2 is on chain 5$"):
        await both.rpc.block_number()


def behind(blocks: int) -> Callable[[dict[str, Any], dict[str, Any]], dict[str, Any] | None]:
    """Be so many blocks of twelve seconds behind."""

    def lie(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        if call["method"] == "eth_blockNumber":
            return said(answer, hex(HEAD - blocks))
        if call["method"] == "eth_getBlockByNumber" and call["params"][0] == "latest":
            block = answer["result"]
            time = hex(int(block["timestamp"], 16) - 12 * blocks)
            return said(answer, {**block, "number": hex(int(block["number"], 16) - blocks), "timestamp": time})
        return None

    return lie


async def test_one_that_lags_by_fifty_blocks_is_not_asked(pair: Any) -> None:
    both = await pair()
    both.first.lie = behind(50)
    assert await both.compared() == {"1": "is 50 blocks and 600 s behind", "2": None}
    assert await both.rpc.block_number() == HEAD
    both.first.lie = behind(1)
    assert await both.compared() == {"1": None, "2": None}, "a block is no lag"


async def test_one_that_claims_a_thousand_blocks_more_makes_nobody_late(pair: Any) -> None:
    both = await pair()
    both.first.lie = behind(-1000)
    why = await both.compared()
    assert why["2"] is None
    assert "ahead of this machine's clock" in str(why["1"])
    both.first.lie = lambda call, answer: (
        said(answer, {**answer["result"], "number": "0x77777777"})
        if call["method"] == "eth_getBlockByNumber" and call["params"][0] == "latest"
        else None
    )
    assert (await both.compared())["2"] is None


async def test_two_that_contradict_each_other_with_equal_weight_are_both_not_believed(
    pair: Any, client: HttpClient, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        both = await pair(other=await anvil(stack, client, tmp_path))
        why = await both.compared()
        height = int(str(why["1"]).rsplit("block ", 1)[1].rstrip(")"))
        both_say = f"contradicts with equal weight (endpoints 1 and 2, block {height})"
        assert (why, height) == ({"1": both_say, "2": both_say}, HEAD - 8)
        with pytest.raises(SetAside, match="contradicts with equal weight"):
            await both.patient.block_number()


async def test_of_two_that_contradict_each_other_the_heavier_is_believed(
    pair: Any, client: HttpClient, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        terms = (EndpointTerms("free", 1), EndpointTerms("own", 2, 3))
        both = await pair(terms, await anvil(stack, client, tmp_path))
        assert await both.compared() == {"free": f"has another block {HEAD - 8} than endpoint own", "own": None}
        await both.patient.block_number()
        assert both.first.calls.count("eth_blockNumber") == 0


async def test_calls_that_belong_together_go_to_one_endpoint_and_name_it(pair: Any) -> None:
    both = await pair((EndpointTerms("left", 1), EndpointTerms("right", 1)))
    for _ in range(4):
        with reading() as calls:
            assert calls.names("sea") == ()
            for _ in range(3):
                await both.patient.block_number()
            assert len(calls.names("sea")) == 1
            other = both.patient.other_than(calls.names("sea"))
            assert other is not None
            await other.block_number()
            assert set(calls.names("sea")) == {"left", "right"}
            assert both.patient.other_than(calls.names("sea")) is None
    assert both.first.calls.count("eth_blockNumber") == both.second.calls.count("eth_blockNumber") == 8


async def test_when_the_one_fails_the_rest_goes_to_the_next(pair: Any) -> None:
    both = await pair()
    with reading() as calls:
        await both.patient.block_number()
        both.first.status = 500
        await both.patient.block_number()
        both.first.status = 200
        await both.patient.block_number()
        assert calls.names("sea") == ("2", "1")
    assert both.second.calls.count("eth_blockNumber") == 2


async def test_calls_are_shared_by_weight(pair: Any) -> None:
    both = await pair((EndpointTerms("free", 1, 1), EndpointTerms("own", 1, 3)))
    for _ in range(40):
        await both.patient.block_number()
    assert (both.first.calls.count("eth_blockNumber"), both.second.calls.count("eth_blockNumber")) == (10, 30)


async def test_each_is_asked_for_what_it_is_for(pair: Any) -> None:
    terms = (EndpointTerms("1", 1, 1, frozenset({Use.QUOTES, Use.SIMULATION})), EndpointTerms("2", 2))
    both = await pair(terms)
    await both.rpc.of(Use.TRACKING).block_number()
    await both.rpc.of(Use.SIMULATION).block_number()
    assert [each[1::2] for each in both.noted.requests if "eth_blockNumber" in each[2]] == [
        ("2", "tracking"),
        ("1", "simulation"),
    ]
    both.second.status = 500
    with pytest.raises(NodeUnavailable):
        await both.rpc.of(Use.TRACKING).block_number()


async def test_an_archive_has_what_the_others_have_forgotten(pair: Any) -> None:
    uses = frozenset({Use.TRACKING}), frozenset({Use.ARCHIVE})
    both = await pair((EndpointTerms("full", 2, 1, uses[0]), EndpointTerms("archive", 1, 1, uses[1])))
    tracking = both.rpc.of(Use.TRACKING)
    await tracking.block_number()
    assert "eth_blockNumber" not in both.second.calls
    both.first.lie = lambda call, answer: refused(answer, -32000, "missing trie node")
    count = ("eth_getTransactionCount", ["0x" + "22" * 20, "0x1"])
    assert await tracking.batch([count]) == ["0x0"]
    before = len(both.first.asked)
    assert await both.rpc.of(Use.ARCHIVE).batch([count]) == ["0x0"]
    assert len(both.first.asked) == before


async def test_a_transaction_is_sent_once(pair: Any) -> None:
    both = await pair()
    both.first.lie = lambda call, answer: refused(answer, -32603, "internal error")
    with pytest.raises(RpcError):
        await both.rpc.call("eth_sendRawTransaction", ["0x00"])
    assert "eth_sendRawTransaction" not in both.second.calls


async def test_each_call_of_a_batch_is_noted_with_what_became_of_it(pair: Any) -> None:
    both = await pair()
    both.first.status = 500
    await both.rpc.batch([("eth_blockNumber", []), ("eth_gasPrice", [])])
    methods = ("eth_blockNumber", "eth_gasPrice")
    noted = [each for each in both.noted.requests if each[2] == methods]
    assert noted == [("sea", "1", methods, "quotes", "failed"), ("sea", "2", methods, "quotes", "answered")]


@pytest.mark.parametrize(
    ("method", "code", "message", "lack"),
    [
        ("eth_simulateV1", -32601, "the method eth_simulateV1 does not exist/is not available", Lack.METHOD),
        ("eth_simulateV1", -32000, "Method not supported on this plan", Lack.METHOD),
        ("eth_getLogs", -32005, "query returned more than 10000 results", Lack.RANGE),
        ("eth_getLogs", -32602, "block range is too wide", Lack.RANGE),
        ("eth_getTransactionCount", -32000, "missing trie node 0xabc (path ) state 0xdef", Lack.OLD_STATE),
        ("eth_call", -32000, "required historical state unavailable (reexec=128)", Lack.OLD_STATE),
        ("eth_call", -32000, "header not found", Lack.NOW),
        ("eth_call", -32603, "Internal error", Lack.NOW),
        ("eth_call", -32005, "daily request count exceeded, request rate limited", Lack.NOW),
        ("eth_call", 3, "execution reverted: too many", None),
        ("eth_call", -32000, "insufficient funds for transfer", None),
        ("eth_call", -32602, "invalid argument 0: hex string has length 2", None),
    ],
)  # fmt: skip
def test_refusals(method: str, code: int, message: str, lack: Lack | None) -> None:
    assert lack_of(method, RpcError(code, message)) is lack
