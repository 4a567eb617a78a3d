"""What wallet and receiver have, what a transaction cost them, and what that was worth."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from attack.service import AttackedService
from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.logs import Log
from rhumbline.devnet.upstreams.solver import DEPOSITED, DepositState, Solver, read_deposit
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.fee import FeeType
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.signatures import LocalAccount
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity

Place = tuple[int, str, str]
"""A chain, a token of it, an owner."""
FUNDS_DEPOSITED = topic(
    "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)"
)
_WEALTH = 100 * 10**18
_GAS = 6_000_000
_ROOM = 96


@dataclass(frozen=True)
class Pair:
    """The two whose money it is, and who is named for refunds, if somebody is.

    A ``signer`` signs permits as the sender, None approves.
    """

    sender: str
    receiver: str
    refunded: str | None = None
    signer: LocalAccount | None = field(default=None, repr=False)

    @property
    def all(self) -> tuple[str, ...]:
        """Everybody to whom the money may go."""
        return (self.sender, self.receiver, *(() if self.refunded is None else (self.refunded,)))

    @property
    def depositors(self) -> tuple[str, ...]:
        """In whose names a bridge may hold it: of the sender's only where nobody is named."""
        return (self.refunded or self.sender, self.receiver)


@dataclass(frozen=True)
class Sent:
    """A mined transaction: ``cost`` is the sender's gas cost in wei; ``logs`` as the node returns them."""

    ok: bool
    cost: int
    logs: tuple[Log, ...] = ()


async def fund(service: AttackedService, pair: Pair, token: Token, amount: int) -> None:
    """See that the sender has the amount, and wealth enough for gas and fees."""
    rpc = service.rpcs[token.chain_id]
    await rpc.call("anvil_setBalance", [pair.sender, hex(_WEALTH + amount)])
    if token.address == NATIVE_EVM:
        return
    if token.symbol == "WETH":
        await send_call(rpc, pair.sender, token.address, encoded("deposit()"), amount)
        await rpc.call("anvil_setBalance", [pair.sender, hex(_WEALTH)])
    else:
        await send_call(rpc, pair.sender, token.address, encoded("mint(address,uint256)", pair.sender, amount), 0)


async def holdings(service: AttackedService, pair: Pair) -> Mapping[Place, int]:
    """Read all that they have, on both EVM chains."""
    return await owned(service, pair.all)


async def owned(service: AttackedService, owners: Iterable[str]) -> Mapping[Place, int]:
    """Read all that some have on EVM chains, of one block each: what a transaction brings is seen whole or not."""
    found: dict[Place, int] = {}
    owners = tuple(owners)
    for chain_id, rpc in service.rpcs.items():
        tokens = [token.address for token in service.tokens if token.chain_id == chain_id]
        places = [(chain_id, token, owner) for owner in owners for token in [NATIVE_EVM, *tokens]]
        block, number = -1, await rpc.block_number()
        # A node that is adding a block already answers by it when it is asked for the one before.
        while block != number:
            block = number
            answers = await rpc.batch([_question(token, owner, hex(block)) for _, token, owner in places])
            number = await rpc.block_number()
        for place, answer in zip(places, answers, strict=True):
            found[place] = 0 if isinstance(answer, RpcError) else quantity(answer)
    return found


def _question(token: str, owner: str, block: str) -> tuple[str, list[object]]:
    if token == NATIVE_EVM:
        return "eth_getBalance", [owner, block]
    data = "0x" + encoded("balanceOf(address)", owner).hex()
    return "eth_call", [{"to": token, "data": data}, block]


async def send(service: AttackedService, answer: RouteAnswer, signer: LocalAccount | None = None) -> Sent:
    """Make the required approvals, for exactly the amount, and send the answered transaction, as its sender.

    A ``signer`` signs the answer's permit in their place, where it has one.
    """
    transaction, request = answer.transaction, answer.request
    if not isinstance(transaction, EvmTransaction):
        raise TypeError("not a transaction of this type of chain")
    rpc = service.rpcs[request.origin.id]
    cost = 0
    if answer.permit is not None and signer is not None:
        permit = answer.permit
        signature = bytes(signer.sign_typed_data(full_message=dict(permit.typed_data)).signature)
        data = permit.transaction.data[:-_ROOM] + signature.ljust(_ROOM, b"\x00")
        return await send_call(
            rpc, request.sender, permit.transaction.to, data, transaction.value, permit.gas_limit or _GAS
        )
    if answer.approval_address is not None:
        for amount in (0, request.amount):
            data = encoded("approve(address,uint256)", answer.approval_address, amount)
            cost += (await send_call(rpc, request.sender, request.origin_token, data, 0)).cost
    limit = None if answer.gas is None else answer.gas.limit
    sent = await send_call(rpc, request.sender, transaction.to, transaction.data, transaction.value, limit or _GAS)
    return Sent(sent.ok, cost + sent.cost, sent.logs)


async def send_call(rpc: EvmRpc, sender: str, to: str, data: bytes, value: int, gas: int = _GAS) -> Sent:
    call = {"from": sender, "to": to, "value": hex(value), "data": "0x" + data.hex(), "gas": hex(gas)}
    receipt = await rpc.call("eth_sendTransactionSync", [call])
    if not isinstance(receipt, dict):
        raise TypeError("the node answered no receipt")
    cost = quantity(receipt["gasUsed"]) * quantity(receipt["effectiveGasPrice"])
    logs = receipt["logs"]
    read = tuple(_log(each) for each in logs if isinstance(each, dict)) if isinstance(logs, list) else ()
    return Sent(quantity(receipt["status"]) == 1, cost, read)


def _log(fields: Mapping[str, object]) -> Log:
    topics = fields["topics"]
    words = tuple(hex_bytes(each) for each in topics) if isinstance(topics, list) else ()
    return Log(checksummed(str(fields["address"])), words, hex_bytes(fields["data"]), str(fields["transactionHash"]))


def standing(service: AttackedService, pair: Pair, sent: Sent, bridge: Emulator) -> Fraction:
    """Deposits of the wallet or the receiver in the bridge's pinned contracts, in USD cents.

    If nobody fills one, it is refunded after its deadline: to its depositor, or to its receiver if one of the bridge's
    own contracts deposited it for the wallet. What was given back already is no more there, whoever has it.
    """
    if sent.logs and has_given_back(bridge, sent.logs[0].tx_hash):
        return Fraction(0)
    total, receiver = Fraction(0), bytes.fromhex(pair.receiver[2:])
    for chain_id, contracts in bridge.contracts().items():
        pinned = {checksummed(address) for address in contracts}
        for log in sent.logs:
            if log.address in pinned and log.topics[:1] == (DEPOSITED,):
                deposit = read_deposit(chain_id, log)
                own = deposit.depositor in (pair.sender, *pair.depositors)
                if own or (deposit.depositor in pinned and receiver in deposit.terms):
                    total += worth(service, chain_id, deposit.token, deposit.amount)
    return total + _in_pools(service, pair, sent, bridge)


def has_given_back(bridge: Emulator, tx_hash: str) -> bool:
    """Return whether a bridge has refunded the deposit of a transaction; Across does so in its pools, much later."""
    solver = getattr(bridge, "solver", None) or getattr(bridge, "relayers", None)
    dealing = solver.of_transaction(tx_hash) if isinstance(solver, Solver) else None
    return dealing is not None and dealing.state is DepositState.REFUNDED


def _in_pools(service: AttackedService, pair: Pair, sent: Sent, bridge: Emulator) -> Fraction:
    """What lies in Across's own pools in the name of who is to be refunded, in USD cents: after its deadline."""
    total = Fraction(0)
    for chain_id, deployment in bridge.deployments().items():
        for log in sent.logs:
            is_own = log.topics[:1] == (FUNDS_DEPOSITED,) and checksummed(log.topics[3][12:]) == pair.depositors[0]
            if log.address == deployment.get("spoke_pool") and is_own:
                token, _, amount = (log.data[at : at + 32] for at in (0, 32, 64))
                total += worth(service, chain_id, checksummed(token[12:]), int.from_bytes(amount))
    return total


@dataclass(frozen=True)
class Change:
    """What became of the money, in raw units; gas is not counted.

    ``gained`` is what the receiver has more of the token that was asked for; ``spent`` what the sender has less of the
    input; ``beside`` is the value in USD cents of all that both have more, less what they have less, of anything else.
    ``left`` is what the sender has less, by place.
    """

    gained: int
    spent: int
    beside: Fraction
    left: Mapping[Place, int] = field(default_factory=dict)


def change(
    service: AttackedService, pair: Pair, tokens: tuple[Token, Token],
    before: Mapping[Place, int], after: Mapping[Place, int],
    gas: int,
) -> Change:  # fmt: skip
    """Compare what both have with what they had; ``gas`` is in raw units of the origin's native asset."""
    origin, destination = tokens
    moved = {place: after[place] - had for place, had in before.items()}
    moved[(origin.chain_id, service.chains[origin.chain_id].native.address, pair.sender)] += gas
    left = {place: -more for place, more in moved.items() if more < 0 and place[2] == pair.sender}
    spent = -moved.pop((origin.chain_id, origin.address, pair.sender))
    gained = moved.pop((destination.chain_id, destination.address, pair.receiver), 0)
    beside = sum((worth(service, chain, token, more) for (chain, token, _), more in moved.items()), Fraction(0))
    return Change(gained, spent, beside, left)


def unstated(
    service: AttackedService, answer: RouteAnswer, left: Mapping[Place, int], network_fee: int = 0
) -> Fraction:
    """What left the sender beyond what the answer states, in USD cents.

    An answer states the input, and each fee that it does not include in that. ``network_fee`` is what the network took
    of the native asset, where the answer's own word about that is to count; on EVM chains the terms of gas do.
    """
    request, origin = answer.request, answer.request.origin
    native = origin.native.address
    stated: Counter[str] = Counter({request.origin_token: request.amount})
    for item in answer.fees.items:
        is_estimate = item.type is FeeType.GAS and network_fee is None
        if not item.included and not is_estimate and item.token.chain_id == origin.id and item.paid_by is None:
            stated[item.token.address] += item.amount
    taken = Counter({token: amount for (chain_id, token, _), amount in left.items() if chain_id == origin.id})
    taken[native] += network_fee or 0
    beyond = ((token, amount - stated[token]) for token, amount in taken.items())
    return sum((worth(service, origin.id, token, more) for token, more in beyond if more > 0), Fraction(0))


def worth(service: AttackedService, chain_id: int, address: str, amount: int) -> Fraction:
    """What raw units of a token were set up to be worth, in USD cents."""
    native = service.chains[chain_id].native
    known = (token for token in (native, *service.tokens) if (token.chain_id, token.address) == (chain_id, address))
    decimals = next(known, native).decimals
    return Fraction(amount * (service.cents(chain_id, address) or 0), 10**decimals)
