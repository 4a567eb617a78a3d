"""Balances of wallets on the sandbox's Solana chain, and sending the answered transactions there."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from struct import pack
from typing import Any

from solders.keypair import Keypair

from attack.purse import Place, worth
from attack.service import AttackedService
from rhumbline.devnet.svm.accounts import FUNDED, keypair
from rhumbline.devnet.svm.plans import CHAIN_ID, DECIMALS, raw_amount
from rhumbline.devnet.svm.wallet import signed_by
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.wallets import TransactionFailed
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import associated_token_address, decode_address
from rhumbline.gateways.svm.programs import SPL_PROGRAMS, SYSTEM, WRAPPED_SOL

_RENT = 2_039_280
_LAMPORTS, _LITTLE = 5_000 * 10**9, 10**7
_USD = 200_000
_OWNER_AT, _AMOUNT_AT = 32, 64


@dataclass(frozen=True)
class Belongings:
    """What wallets have by place, and who may take or close what of it (token account, delegate, closer)."""

    amounts: Mapping[Place, int]
    doors: frozenset[tuple[str, str, str]]


def node_of(service: AttackedService) -> SvmNode:
    """Return the emulators' node."""
    return service.world.svm(CHAIN_ID)


async def mints_of(service: AttackedService) -> Mapping[str, tuple[str, int]]:
    """Return token program and decimals of every mint of the sandbox."""
    addresses = [token.address for token in node_of(service).chain.tokens.values()]
    found = await SvmState(node_of(service).rpc).mints(addresses)
    return {address: (mint.program, mint.decimals) for address, mint in found.items() if mint is not None}


async def models_of(service: AttackedService) -> Mapping[str, Account]:
    """Return an account of every mint that a wallet of the sandbox has: those of Token-2022 have more in them."""
    owner, mints = str(keypair(FUNDED[0]).pubkey()), await mints_of(service)
    places = {mint: associated_token_address(owner, mint, program) for mint, (program, _) in mints.items()}
    found = (await node_of(service).rpc.accounts(list(places.values()))).found
    return {mint: account for mint, place in places.items() if (account := found[place]) is not None}


async def furnish(
    service: AttackedService, owner: str, models: Mapping[str, Account], usd: int = _USD, without: str | None = None
) -> None:
    """Give an owner SOL, and an account of every token like its model with an amount; nearly nothing of ``without``."""
    node = node_of(service)
    stores = [node.store(owner, SYSTEM, b"", _LITTLE if without == NATIVE_SVM else _LAMPORTS)]
    for symbol in DECIMALS:
        mint = node.chain.tokens[symbol].address
        model, amount = models[mint], 0 if mint == without else raw_amount(symbol, usd)
        data = bytearray(model.data)
        data[_OWNER_AT : _OWNER_AT + 32] = decode_address(owner)
        data[_AMOUNT_AT : _AMOUNT_AT + 8] = pack("<Q", amount)
        place = associated_token_address(owner, mint, model.owner)
        lamports = _RENT + amount if mint == WRAPPED_SOL else model.lamports
        stores.append(node.store(place, model.owner, bytes(data), lamports))
    await asyncio.gather(*stores)


async def belongings(rpc: SvmRpc, owners: Iterable[str], *, unwrapped: bool = False) -> Belongings:
    """Read all that some have. The rent of their own token accounts is theirs, as lamports.

    With ``unwrapped`` wrapped SOL counts as lamports too.
    """
    amounts: dict[Place, int] = {}
    doors = set()
    for owner in owners:
        account = await rpc.account(owner)
        # Lamports of an account that is a program's are not the wallet's any more.
        held = account.lamports if account is not None and account.owner == SYSTEM else 0
        for program in sorted(SPL_PROGRAMS):
            for address, lamports, info in await _accounts(rpc, owner, program):
                mint, amount = info["mint"], int(info["tokenAmount"]["amount"])
                held += lamports - (amount if mint == WRAPPED_SOL else 0)
                if unwrapped and mint == WRAPPED_SOL:
                    held += amount
                else:
                    place = (CHAIN_ID, mint, owner)
                    amounts[place] = amounts.get(place, 0) + amount
                doors.add((address, info.get("delegate", ""), info.get("closeAuthority", owner)))
        amounts[(CHAIN_ID, NATIVE_SVM, owner)] = held
    return Belongings(amounts, frozenset(each for each in doors if each[1] or each[2] not in owners))


async def _accounts(rpc: SvmRpc, owner: str, program: str) -> list[tuple[str, int, dict[str, Any]]]:
    answer: Any = await rpc.call("getTokenAccountsByOwner", [owner, {"programId": program}, {"encoding": "jsonParsed"}])
    return [
        (each["pubkey"], each["account"]["lamports"], each["account"]["data"]["parsed"]["info"])
        for each in answer["value"]
    ]


async def send(rpc: SvmRpc, keys: Iterable[Keypair], answer: RouteAnswer) -> ExecutedTransaction:
    """Sign the answered transaction by all of its signers, and send it.

    Raise SvmRpcError or TransactionFailed if it is refused.
    """
    transaction = answer.transaction
    if not isinstance(transaction, SvmTransaction):
        raise TypeError("not a transaction of this type of chain")
    data = transaction.data
    for key in keys:
        data = signed_by(key, data)
    signature = await rpc.send(data, preflight=False)
    await rpc.call("sandbox_advanceSlots", [1])
    executed = await rpc.transaction(signature)
    if executed is None:
        raise TransactionFailed(f"{signature} is not on the chain")
    return executed


async def standing(
    service: AttackedService, executed: ExecutedTransaction, bridge: Emulator, receiver: str
) -> Fraction:
    """Return what a bridge holds for a transaction of the wallet's, in USD cents.

    That is the gain of its pinned programs' accounts, or the amount burnt for an order that names the receiver, who is
    paid there if nobody fills it.
    """
    pins = set(_texts(bridge.deployments()[CHAIN_ID]))
    before = {each.account: each.amount for each in executed.tokens_before}
    gains = [(each, each.amount - before.get(each.account, 0)) for each in executed.tokens_after if each.owner]
    owners = (await node_of(service).rpc.accounts([str(each.owner) for each, _ in gains])).found
    total = Fraction(0)
    for each, gain in gains:
        owner = owners[str(each.owner)]
        if owner is not None and owner.owner in pins and gain > 0:
            total += worth(service, CHAIN_ID, each.mint, gain)
    named = bytes.fromhex(receiver[2:]) if receiver.startswith("0x") else decode_address(receiver)
    if any(named in each.data for each in executed.message.instructions):
        total += sum((worth(service, CHAIN_ID, mint, amount) for mint, amount in _burnt(executed)), Fraction(0))
    return total


def _burnt(executed: ExecutedTransaction) -> Iterator[tuple[str, int]]:
    """Yield the mints whose supply fell, and by how much."""
    for mint in {each.mint for each in executed.tokens_before}:
        had, have = (
            sum(each.amount for each in held if each.mint == mint)
            for held in (executed.tokens_before, executed.tokens_after)
        )
        if mint != WRAPPED_SOL and had > have:
            yield mint, had - have


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _texts(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _texts(each)
