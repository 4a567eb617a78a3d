"""Swaps and crossings as they are handed out on the sandbox's Solana chain, and what wallets may send instead."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.devnet.svm.accounts import INTEGRATOR_WALLET, SERVICE_WALLET, keypair
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, pool_address, token
from rhumbline.devnet.svm.plans import CHAIN_ID, POOLS
from rhumbline.devnet.svm.pool_program import read_pool
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import Clock
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.fee import Charge, FeeKind
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import make_transaction_id
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.chain_types.order_terms import direct_terms
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.compute_budget import ComputeBudget
from rhumbline.gateways.svm.fingerprint import fingerprint, parts_of
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.tracking_instruction import reference_key, tracking_instruction
from rhumbline.tracking.transfers import Known, ScanPages
from tests.tracking.conftest import KEY

SOLANA = Chain(
    CHAIN_ID, "sbxs", "Sandbox Solana", ChainType.SVM, Token(CHAIN_ID, NATIVE_SVM, "SOL", 9, "Solana"), mainnet=False
)
OTHER = Chain(
    900_001, "sbxa", "Sandbox A", ChainType.EVM, Token(900_001, NATIVE_EVM, "ETH", 18, "Ether"), mainnet=False
)
KNOWN = Known(ChainCatalog([SOLANA, OTHER]), ScanPages({"TOYBRIDGE": "https://scan.example/{txHash}"}))
USER, STRANGER = keypair(0), keypair(1)
SENDER = str(USER.pubkey())
SERVICE, INTEGRATOR = (str(keypair(index).pubkey()) for index in (SERVICE_WALLET, INTEGRATOR_WALLET))
USDC, USDT = token("USDC"), token("USDT")
AMOUNT, SERVICE_FEE, OWN_FEE = 1_000_000, 1_000, 2_000
BRIDGE = str(keypair(5).pubkey())
WETH_THERE = "0x2222222222222222222222222222222222222229"


def words(call: Instruction) -> SvmInstruction:
    """An instruction of the sandbox in our words."""
    roles = tuple(AccountRole(str(each.pubkey), each.is_signer, each.is_writable) for each in call.accounts)
    return SvmInstruction(str(call.program_id), roles, bytes(call.data))


@dataclass(frozen=True)
class Order:
    """What was handed out: the issued transaction, and its instructions without the compute budget."""

    issued: IssuedTransaction
    calls: tuple[SvmInstruction, ...]


@dataclass(frozen=True)
class SolanaOrders:
    """Hands out orders on a chain whose slots go by when the test says so, and sends what wallets make of them."""

    rpc: SvmRpc
    chain: SvmChain

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.chain.slots.time(self.chain.slots.slot), UTC)

    @property
    def clock(self) -> Clock:
        return lambda: self.now

    def swap(self, nonce: int = 0, *, key: bytes = KEY, **changes: Any) -> Order:
        """A swap of 1 USDC for USDT, of which the service and an integrator take a little."""
        account = self.chain.account(pool_address(_PLAN))
        assert account is not None
        pool = read_pool(POOL_PROGRAM, pool_address(_PLAN), account.data)
        source, destination = USDC.account(USER.pubkey()), USDT.account(USER.pubkey())
        net = AMOUNT - SERVICE_FEE - OWN_FEE
        call = words(pool.swap(USER.pubkey(), source, destination, net, 900_000))
        plain = self._issued(USDT_MINT, 0, call.program, **changes)
        return self._order(plain, nonce, key, (*_fees(), call))

    def crossing(self, nonce: int = 0, *, paid: int = AMOUNT - SERVICE_FEE - OWN_FEE, **changes: Any) -> Order:
        """A crossing to the other chain: a bridge is just paid, at an account of its own."""
        net = AMOUNT - SERVICE_FEE - OWN_FEE
        pays = TokenTransfer(USDC_PROGRAM, _account(SENDER), _account(BRIDGE), SENDER, paid, USDC_MINT, 6).encode()
        deposit = BridgeDeposit(USDC_MINT, net, (_account(BRIDGE),))
        terms = {"adapter": "TOYBRIDGE", "destination_chain_id": OTHER.id, "receiver": WETH_THERE, "reference": "r-1"}
        plain = self._issued(WETH_THERE, net, pays.program, **{"deposit": deposit, **terms, **changes})
        return self._order(plain, nonce, KEY, (*_fees(), pays))

    async def send(self, *calls: SvmInstruction, signers: tuple[Keypair, ...] = (USER,)) -> str:
        """Sign, have it executed in the next slot, whatever comes of it, and return its signature."""
        self.chain.advance()
        payer, blockhash = str(signers[0].pubkey()), str(self.chain.blockhash())
        signature = await self.rpc.send(signed(compile_v0(payer, calls, [], blockhash), *signers), preflight=False)
        # From the next slot on it is confirmed.
        self.chain.advance()
        return signature

    def _issued(self, output: str, sent: int, program: str, **changes: Any) -> IssuedTransaction:
        plain = IssuedTransaction(
            transaction_id="", adapter="TOYSWAP", wallet_call=True, origin_chain_id=CHAIN_ID,
            destination_chain_id=CHAIN_ID, sender=SENDER, receiver=SENDER, integrator="acme", to=program, value=0,
            data=b"", input_token=USDC_MINT, input_amount=AMOUNT, sent_amount=sent or AMOUNT, output_token=output,
            expected_output=995_000, min_output=900_000, reference=None, created_at=self.now,
            expires_at=self.now + timedelta(seconds=60),
            charges=(
                Charge(FeeKind.SERVICE, SERVICE, SERVICE_FEE), Charge(FeeKind.INTEGRATOR, INTEGRATOR, OWN_FEE),
            ),
        )  # fmt: skip
        return replace(plain, **changes)

    def _order(self, plain: IssuedTransaction, nonce: int, key: bytes, calls: tuple[SvmInstruction, ...]) -> Order:
        identifier = identifier_of(plain, nonce, key)
        tracked = (*calls, tracking_instruction(SENDER, reference_key(key), identifier))
        issued = replace(
            plain, transaction_id="0x" + identifier.hex(), data=fingerprint(tracked), parts=parts_of(tracked)
        )
        return Order(issued, tracked)


def identifier_of(plain: IssuedTransaction, nonce: int, key: bytes = KEY) -> bytes:
    destination = SOLANA if plain.destination_chain_id == CHAIN_ID else OTHER
    terms = direct_terms(
        SOLANA, destination, adapter=plain.adapter, sender=plain.sender, receiver=plain.receiver,
        integrator=plain.integrator, input_token=plain.input_token, input_amount=plain.input_amount,
        output_token=plain.output_token, expected_output=plain.expected_output, min_output=plain.min_output,
        reference=plain.reference, deadline=int(plain.expires_at.timestamp()),
    )  # fmt: skip
    return make_transaction_id(key, nonce.to_bytes(16), terms)


def signed(message: bytes, *signers: Keypair) -> bytes:
    """The whole transaction, signed by these in the message's own order."""
    names = [str(each.pubkey()) for each in signers]
    made = {name: bytes(each.sign_message(message)) for name, each in zip(names, signers, strict=True)}
    return serialise(message, names, made)


def budget(units: int = 400_000, price: int = 7) -> tuple[SvmInstruction, ...]:
    return ComputeBudget(units, price).instructions()


def dust(number: int, reference: str | None = None) -> SvmInstruction:
    """A stranger's transaction that names the reference key: a lamport and some to the stranger, so each differs."""
    named = (AccountRole(reference or reference_key(KEY)),)
    stranger = str(STRANGER.pubkey())
    return SystemTransfer(stranger, stranger, number, named).encode()


def _account(owner: str) -> str:
    return str(USDC.account(Pubkey.from_string(owner)))


def _fees() -> tuple[SvmInstruction, ...]:
    pays = ((SERVICE, SERVICE_FEE), (INTEGRATOR, OWN_FEE))
    return tuple(
        TokenTransfer(USDC_PROGRAM, _account(SENDER), _account(to), SENDER, amount, USDC_MINT, 6).encode()
        for to, amount in pays
    )


_PLAN = next(plan for plan in POOLS if (plan.first, plan.second) == ("USDC", "USDT"))
USDC_MINT, USDT_MINT, USDC_PROGRAM = str(USDC.mint), str(USDT.mint), str(USDC.program)
