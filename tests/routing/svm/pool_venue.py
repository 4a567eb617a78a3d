"""A venue over the sandbox's own pools on Solana, and chains and tokens as the service knows them."""

from dataclasses import dataclass, replace

from solders.pubkey import Pubkey

from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, pool_address
from rhumbline.devnet.svm.chains import RunningSolana
from rhumbline.devnet.svm.plans import CHAIN_ID, CHAIN_KEY, CHAIN_NAME, POOLS
from rhumbline.devnet.svm.pool_program import OnchainPool, amount_out, read_pool
from rhumbline.devnet.svm.token_layouts import read_holding
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_SVM, Chain, ChainType
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CloseAccount, CreateTokenAccount, wrap_sol
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL

PROGRAM = str(POOL_PROGRAM)


def svm_chain() -> Chain:
    native = Token(CHAIN_ID, NATIVE_SVM, "SOL", 9, "Solana", "SOL")
    return Chain(CHAIN_ID, CHAIN_KEY, CHAIN_NAME, ChainType.SVM, native, mainnet=False, wrapped_native=WRAPPED_SOL)


def svm_tokens(running: RunningSolana) -> list[Token]:
    return [
        Token(CHAIN_ID, token.address, symbol, token.decimals, symbol, symbol)
        for symbol, token in running.furnished.tokens.items()
    ]


@dataclass(frozen=True)
class PoolVenue:
    """Quotes one pool exactly and trades in it. ``boast`` is added to what it promises."""

    chain: SvmChain
    key: str = "POOL"
    boast: int = 0
    enforces: bool = True
    bounds: bool = True

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(self.key, self.key.title(), "", Capability.EXCHANGE, (CHAIN_ID,))

    def supports(self, request: QuoteRequest) -> bool:
        return request.origin.id == request.destination.id == CHAIN_ID

    async def quote(self, request: QuoteRequest) -> Quote[bool]:
        pool, turned = self._pool(request)
        given, wanted = reversed(pool.sides) if turned else pool.sides
        reserves = [self._amount(side.vault) for side in (given, wanted)]
        received = _untaxed(request.origin_token, request.amount)
        output = _untaxed(request.destination_token, amount_out(reserves[0], reserves[1], received, pool.fee))
        return Quote(self.key, request, output + self.boast, turned, gas_units=60_000)

    async def build(self, quote: Quote[bool]) -> UpstreamTransaction:
        asked = quote.request
        pool, turned = self._pool(asked)
        sender = asked.sender
        sold, bought = (_mint(token) for token in (asked.origin_token, asked.destination_token))
        given, wanted = reversed(pool.sides) if turned else pool.sides
        source = associated_token_address(sender, sold, str(given.token_program))
        native_out = asked.destination_token.address == NATIVE_SVM
        receiver = sender if native_out else asked.payout_address
        destination = associated_token_address(receiver, bought, str(wanted.token_program))
        call = pool.swap(
            Pubkey.from_string(sender), Pubkey.from_string(source), Pubkey.from_string(destination), asked.amount,
            quote.min_output_amount or 0, turned=turned,
        )  # fmt: skip
        work = [CreateTokenAccount.of(sender, receiver, bought, str(wanted.token_program)).encode()]
        if asked.origin_token.address == NATIVE_SVM:
            work += [CreateTokenAccount.of(sender, sender, WRAPPED_SOL, SPL).encode()]
            work += wrap_sol(sender, source, asked.amount)
        roles = tuple(AccountRole(str(each.pubkey), each.is_signer, each.is_writable) for each in call.accounts)
        work.append(SvmInstruction(PROGRAM, roles, bytes(call.data)))
        if native_out:
            work.append(CloseAccount(SPL, destination, sender, sender).encode())
        return SvmDraft(
            CHAIN_ID, PROGRAM, tuple(work), frozenset({PROGRAM}), compute_limit=100_000,
            enforces_minimum=self.enforces, bounds_input=self.bounds,
        )  # fmt: skip

    def _pool(self, request: QuoteRequest) -> tuple[OnchainPool, bool]:
        sold, bought = _mint(request.origin_token), _mint(request.destination_token)
        for plan in POOLS:
            account = self.chain.account(pool_address(plan))
            assert account is not None
            pool = read_pool(POOL_PROGRAM, pool_address(plan), account.data)
            mints = tuple(str(side.mint) for side in pool.sides)
            if mints in ((sold, bought), (bought, sold)):
                return pool, mints[0] != sold
        raise NoRoute("has no pool of these")

    def _amount(self, vault: Pubkey) -> int:
        holding = read_holding(self.chain.account(vault))
        assert holding is not None
        return holding.amount


@dataclass(frozen=True)
class AddingVenue(PoolVenue):
    """Adds instructions to its own, at the end."""

    added: tuple[SvmInstruction, ...] = ()

    async def build(self, quote: Quote[bool]) -> UpstreamTransaction:
        draft = await PoolVenue.build(self, quote)
        assert isinstance(draft, SvmDraft)
        return replace(draft, instructions=(*draft.instructions, *self.added))


def _mint(token: Token) -> str:
    return WRAPPED_SOL if token.address == NATIVE_SVM else token.address


def _untaxed(token: Token, amount: int) -> int:
    """Return what arrives of a transfer: TAX takes a hundredth, rounded up."""
    return amount + -amount // 100 if token.symbol == "TAX" else amount
