"""What changed between the quote and its execution, or was never seen: the minimum arrives, or nothing happened."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.devnet.evm.operator import encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.chain import ChainType
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.routing.evm.composer import EvmComposer
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import PairVenue, PoolVenue

AMOUNT = 10**9
GAS = 3_000_000
IMPLEMENTATION = "0x00000000000000000000000000000000000c0de1"


async def sent(quotes: QuoteFixture, answer: RouteAnswer) -> tuple[bool, int, int]:
    """Approve and send with gas enough; whether it went through, what the receiver gained and the sender paid."""
    request, transaction = answer.request, answer.transaction
    assert isinstance(transaction, EvmTransaction)
    assert answer.approval_address is not None
    wallet = await unlocked(quotes.rpc, request.sender, 10**21)
    approve = encoded("approve(address,uint256)", answer.approval_address, request.amount)
    await wallet.send(request.origin_token, approve)
    before = await held(quotes, answer)
    call = {
        "from": request.sender, "to": transaction.to, "value": hex(transaction.value),
        "data": "0x" + transaction.data.hex(), "gas": hex(GAS),
    }  # fmt: skip
    receipt = await quotes.rpc.call("eth_sendTransactionSync", [call])
    assert isinstance(receipt, dict)
    after = await held(quotes, answer)
    return receipt["status"] == "0x1", after[0] - before[0], before[1] - after[1]


async def held(quotes: QuoteFixture, answer: RouteAnswer) -> tuple[int, int]:
    request = answer.request
    return (
        await balance_of(quotes.rpc, request.destination_token, request.receiver),
        await balance_of(quotes.rpc, request.origin_token, request.sender),
    )


async def push_the_price(quotes: QuoteFixture, usdc: int) -> None:
    """Somebody else buys from the same pool first."""
    weth, token = quotes.described.contracts["weth9"], quotes.token("USDC")
    router = quotes.described.contracts["swap_router_02"]
    whale = await unlocked(quotes.rpc, quotes.nobody, 10**21)
    await whale.send(token, encoded("mint(address,uint256)", whale.address, usdc))
    await whale.send(token, encoded("approve(address,uint256)", router, usdc))
    single = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"
    await whale.send(router, encoded(single, (token, weth, 500, whale.address, usdc, 0, 0)))


@pytest.mark.parametrize(("usdc", "goes_through"), [(200_000 * 10**6, False), (1000 * 10**6, True)])
async def test_a_pool_that_moved(quotes: QuoteFixture, usdc: int, goes_through: bool) -> None:
    request = quotes.ask("USDC", "WETH", AMOUNT, receiver=quotes.receiver)
    answer = await quotes.service.answer(request)
    await push_the_price(quotes, usdc)
    through, gained, paid = await sent(quotes, answer)
    assert through is goes_through
    if through:
        assert answer.min_output_amount <= gained < answer.output_amount
        assert paid == AMOUNT
    else:
        assert (gained, paid) == (0, 0)


@pytest.mark.parametrize("guarded", [True, False], ids=["upstream's minimum", "the Diamond's alone"])
async def test_a_venue_without_a_minimum_of_its_own(quotes: QuoteFixture, guarded: bool) -> None:
    venue = PoolVenue(quotes.described, quotes.rpc, boast=0 if guarded else 1)
    request = quotes.ask("USDC", "WETH", AMOUNT, receiver=quotes.receiver)
    answer = await quotes.with_(venue).service.answer(request)
    await push_the_price(quotes, 200_000 * 10**6)
    assert await sent(quotes, answer) == (False, 0, 0)


def unseen(quotes: QuoteFixture) -> QuoteFixture:
    """A service that runs nothing before it answers, and so sees no tax."""
    blind = replace(quotes.service, simulators={}, composers={ChainType.EVM: EvmComposer((KEY,))})
    return replace(quotes, service=blind).with_(PairVenue(quotes.described, quotes.rpc))


async def raise_the_tax(rpc: EvmRpc, token: str) -> None:
    """Have the token keep 100 of 3333 instead of 10,000, which is 3 %: another divisor in its code."""
    code = await rpc.call("eth_getCode", [token, "latest"])
    assert isinstance(code, str)
    assert code.count("612710") == 1
    await rpc.call("anvil_setCode", [token, code.replace("612710", "610d05")])


@pytest.mark.parametrize(
    ("sold", "bought", "amount", "slippage", "goes_through"),
    [
        ("WETH", "TAX", 10**17, None, False),
        ("WETH", "TAX", 10**17, Fraction(1, 10), True),
        ("TAX", "WETH", 10**19, None, False),
        # The venue sells all that it was told of, which did not arrive.
        ("TAX", "WETH", 10**19, Fraction(1, 10), False),
    ],
)
async def test_a_token_that_takes_three_percent_of_transfers(
    quotes: QuoteFixture, sold: str, bought: str, amount: int, slippage: Fraction | None, goes_through: bool
) -> None:
    request = quotes.ask(sold, bought, amount, receiver=quotes.receiver, slippage=slippage)
    answer = await unseen(quotes).service.answer(request)
    await raise_the_tax(quotes.rpc, quotes.token("TAX"))
    through, gained, paid = await sent(quotes, answer)
    assert through is goes_through
    assert (gained >= answer.min_output_amount) if through else (gained, paid) == (0, 0)


def refusing(receiver: str) -> str:
    """Code of a token that reverts a ``transfer`` to one receiver, and else does what IMPLEMENTATION does."""
    selects = "5f3560e01c63a9059cbb14" + "60043573" + receiver[2:].lower() + "1416" + "{refuse}57"
    forwards = "365f5f37" + "5f5f365f73" + IMPLEMENTATION[2:] + "5af4" + "3d5f5f3e" + "{done}57" + "3d5ffd"
    done, refuse = "5b3d5ff3", "5b5f5ffd"
    start = len(selects.format(refuse="6000") + forwards.format(done="6000")) // 2
    places = {"done": f"60{start:02x}", "refuse": f"60{start + len(done) // 2:02x}"}
    return "0x" + selects.format(**places) + forwards.format(**places) + done + refuse


async def test_a_token_whose_transfer_reverts_for_the_receiver(quotes: QuoteFixture) -> None:
    request = quotes.ask("WETH", "USDC", 10**17, receiver=quotes.receiver)
    answer = await quotes.service.answer(request)
    token = quotes.token("USDC")
    code = await quotes.rpc.call("eth_getCode", [token, "latest"])
    await quotes.rpc.call("anvil_setCode", [IMPLEMENTATION, code])
    await quotes.rpc.call("anvil_setCode", [token, refusing(quotes.receiver)])
    assert await sent(quotes, answer) == (False, 0, 0)
    # It is this receiver alone that has nothing: others are paid.
    other = await quotes.service.answer(replace(request, receiver=quotes.nobody))
    through, gained, _ = await sent(quotes, other)
    assert through
    assert gained >= other.min_output_amount
