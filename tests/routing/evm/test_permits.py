"""One signature and one transaction: permits that work are offered, and no others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rhumbline.devnet.evm.operator import Operator, encoded, unlocked
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.domain.chain import ChainType
from rhumbline.domain.permit import Permit, PermitKind
from rhumbline.domain.route import RouteAnswer, RouteRequest
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.evm.signatures import Account, LocalAccount
from rhumbline.gateways.nodes.evm.rpc import quantity
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.routing.evm.permit_call import PERMIT2
from rhumbline.routing.evm.permits import PermitOffers
from tests.routing.quote_fixture import KEY, QuoteFixture, integrator
from tests.routing.venues import PoolVenue
from tests.solidity import creation_codes

AMOUNT = 10**8
TOKENS = Path(__file__).with_name("permit_tokens.sol")


@dataclass(frozen=True)
class Signer:
    """A wallet with a key, some of every token and no allowance; it asks for permits."""

    quotes: QuoteFixture
    account: LocalAccount

    async def asked(self, sold: str, bought: str, **changes: Any) -> RouteAnswer:
        return await self.quotes.service.answer(self.request(sold, bought, **changes))

    def request(self, sold: str, bought: str, **changes: Any) -> RouteRequest:
        asked = self.quotes.ask(sold, bought, AMOUNT, permits=True, **changes)
        return replace(asked, sender=self.account.address, receiver=self.account.address)

    async def wallet(self) -> Operator:
        return await unlocked(self.quotes.rpc, self.account.address, 10**21)

    def sign(self, permit: Permit) -> bytes:
        return bytes(self.account.sign_typed_data(full_message=dict(permit.typed_data)).signature)

    async def send(self, call: EvmTransaction, data: bytes, gas: int | None) -> Mapping[str, object]:
        await self.wallet()
        fields = {"from": self.account.address, "to": call.to, "value": hex(call.value), "data": "0x" + data.hex()}
        sent = {**fields, "gas": hex(gas or 2_000_000)}
        receipt = await self.quotes.rpc.call("eth_sendTransactionSync", [sent])
        assert isinstance(receipt, dict)
        return receipt

    async def allowance(self, token: str, spender: str) -> int:
        data = encoded("allowance(address,address)", self.account.address, spender)
        return quantity("0x" + (await self.quotes.rpc.eth_call(token, data)).hex())


def with_signature(data: bytes, signature: bytes) -> bytes:
    """Do what a client does: the last 96 bytes are the room for the signature."""
    assert data[-96:] == bytes(96)
    return data[:-96] + signature.ljust(96, b"\x00")


@pytest.fixture
async def signer(quotes: QuoteFixture) -> Signer:
    service = quotes.service
    composers = {
        ChainType.EVM: EvmComposer(
            (KEY,), permits=PermitOffers({quotes.chain.id: quotes.rpc}, service.simulators, budget_s=20)
        )
    }
    account: LocalAccount = Account.create()
    venue = PoolVenue(quotes.described, quotes.rpc, 100)
    found = Signer(replace(quotes, service=replace(service, adapters=(venue,), composers=composers)), account)
    wallet = await found.wallet()
    for symbol in ("USDC", "USDT", "TAX"):
        await wallet.send(quotes.token(symbol), encoded("mint(address,uint256)", account.address, 10 * AMOUNT))
    return found


async def signed_and_sent(signer: Signer, answer: RouteAnswer) -> None:
    permit = answer.permit
    assert permit is not None
    token, bought = answer.origin_token.address, answer.destination_token.address
    before = await balance_of(signer.quotes.rpc, token, signer.account.address)
    had = await balance_of(signer.quotes.rpc, bought, signer.account.address)
    data = with_signature(permit.transaction.data, signer.sign(permit))
    receipt = await signer.send(permit.transaction, data, permit.gas_limit)
    assert receipt["status"] == "0x1"
    assert await balance_of(signer.quotes.rpc, token, signer.account.address) == before - AMOUNT
    gained = await balance_of(signer.quotes.rpc, bought, signer.account.address) - had
    assert gained >= answer.min_output_amount
    assert await signer.allowance(token, permit.transaction.to) == 0


async def test_a_token_with_permits_needs_no_approval_at_all(signer: Signer) -> None:
    answer = await signer.asked("USDC", "USDT")
    assert answer.permit is not None
    assert answer.permit.kind is PermitKind.EIP2612
    assert answer.approvals, "who cannot sign approves as before"
    await signed_and_sent(signer, answer)


async def test_other_tokens_need_permit2_to_be_approved(signer: Signer) -> None:
    assert (await signer.asked("USDT", "USDC")).permit is None
    wallet = await signer.wallet()
    await wallet.send(signer.quotes.token("USDT"), encoded("approve(address,uint256)", PERMIT2, AMOUNT - 1))
    assert (await signer.asked("USDT", "USDC")).permit is None, "less than the amount is not enough"
    await wallet.send(signer.quotes.token("USDT"), encoded("approve(address,uint256)", PERMIT2, 0))
    await wallet.send(signer.quotes.token("USDT"), encoded("approve(address,uint256)", PERMIT2, 2**256 - 1))
    answer = await signer.asked("USDT", "USDC")
    assert answer.permit is not None
    assert answer.permit.kind is PermitKind.PERMIT2
    await signed_and_sent(signer, answer)


async def test_fees_are_paid_of_a_permit_too(signer: Signer) -> None:
    wallet = await signer.wallet()
    await wallet.send(signer.quotes.token("USDT"), encoded("approve(address,uint256)", PERMIT2, 2**256 - 1))
    payee = str(integrator().evm_wallet)
    for sold, bought in (("USDC", "USDT"), ("USDT", "USDC")):
        before = await balance_of(signer.quotes.rpc, signer.quotes.token(sold), payee)
        await signed_and_sent(signer, await signer.asked(sold, bought, integrator="Acme", fee_share=Fraction(1, 100)))
        assert await balance_of(signer.quotes.rpc, signer.quotes.token(sold), payee) - before == AMOUNT // 100


async def test_nothing_is_offered_that_was_not_asked_for_or_is_of_no_use(signer: Signer) -> None:
    plain = signer.request("USDC", "USDT")
    assert (await signer.quotes.service.answer(replace(plain, permits=False))).permit is None
    native = replace(signer.request("ETH", "USDC"), amount=10**17)
    deep = signer.quotes.with_(PoolVenue(signer.quotes.described, signer.quotes.rpc))
    assert (await deep.service.answer(native)).permit is None
    await signer.quotes.rpc.call("anvil_setCode", [signer.account.address, "0x00"])
    contract = await signer.asked("USDC", "USDT")
    assert contract.permit is None, "a contract signs in its own way"
    assert contract.approvals


@pytest.mark.parametrize(
    ("form", "offered"),
    [("OldForm", True), ("StaleDomain", False), ("Hollow", False), ("Generous", False), ("EndlessForm", False)],
)
async def test_what_tokens_claim_is_tried(signer: Signer, form: str, offered: bool) -> None:
    rpc, token = signer.quotes.rpc, signer.quotes.token("USDC")
    made = await (await signer.wallet()).deploy((await creation_codes(TOKENS))[form])
    await rpc.call("anvil_setCode", [token, await rpc.call("eth_getCode", [made, "latest"])])
    answer = await signer.asked("USDC", "USDT")
    assert (answer.permit is not None) is offered
    assert answer.approvals
    if offered:
        await signed_and_sent(signer, answer)


async def test_a_changed_order_voids_its_signature(signer: Signer) -> None:
    """The call is the signed one: what a page between service and wallet changes makes Permit2 refuse all of it."""
    wallet = await signer.wallet()
    await wallet.send(signer.quotes.token("USDT"), encoded("approve(address,uint256)", PERMIT2, 2**256 - 1))
    answer = await signer.asked("USDT", "USDC")
    permit, receiver = answer.permit, bytes.fromhex(signer.account.address[2:])
    assert permit is not None
    data = with_signature(permit.transaction.data, signer.sign(permit))
    assert receiver in data
    stolen = data.replace(receiver, bytes.fromhex(signer.quotes.nobody[2:]))
    assert (await signer.send(permit.transaction, stolen, None))["status"] == "0x0"
    assert (await signer.send(permit.transaction, data, None))["status"] == "0x1"
    assert (await signer.send(permit.transaction, data, None))["status"] == "0x0", "and it is good once"
