"""Prices of the sandbox's Solana chain: exact outputs of its pools, and the accounts with which a program trades."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from solders.pubkey import Pubkey

from rhumbline.devnet.pool import Pool
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.svm.pool_program import OnchainPool, PoolSide, amount_out, pool_authority
from rhumbline.devnet.upstreams.trades import Leg, NoMarket, Trade
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import AccountRole
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.tokens import Mint

_BETWEEN = ("WSOL", "USDC")
_MOST = 2**64 - 1


@dataclass(frozen=True, slots=True)
class SvmTrade(Trade):
    """A trade in the sandbox's pools: ``router`` is their program, ``pools`` those of the legs.

    Amounts are those that arrive, after the mints' own transfer fees. Native SOL is wrapped in the legs.
    """

    pools: tuple[OnchainPool, ...] = ()

    def calldata(self, recipient: str, minimum: int) -> tuple[str, bytes]:
        """Raise TypeError: on Solana a program calls the pools, by `steps`."""
        raise TypeError("there is no calldata on Solana")

    def steps(self, owner: str, destination: str | None = None, *, signer: bool = True) -> tuple[AccountRole, ...]:
        """Return the twelve accounts of each leg, in the order of `swap_step` of `runtime.h`.

        The traded tokens are ``owner``'s, in its associated accounts; the last leg pays into ``destination``, a token
        account, by default the owner's own. ``signer`` is False if the owner is an address of the calling program.
        """
        roles: list[AccountRole] = []
        for leg, pool in zip(self.legs, self.pools, strict=True):
            last = leg is self.legs[-1]
            target = destination if last and destination is not None else self.account(owner, leg.token_out)
            roles += _step(pool, leg, owner, self.account(owner, leg.token_in), target, signer=signer)
        return tuple(roles)

    def account(self, owner: str, mint: str) -> str:
        """Return an owner's associated account of a token of the trade; raise KeyError for another token."""
        return associated_token_address(owner, mint, self.program(mint))

    def program(self, mint: str) -> str:
        """Return the token program of a token of the trade; raise KeyError for another token."""
        return {str(side.mint): str(side.token_program) for pool in self.pools for side in pool.sides}[mint]


@dataclass(frozen=True, slots=True)
class SvmMarket:
    """The pools of one Solana chain."""

    chain: SandboxChain
    rpc: SvmRpc

    async def quote(self, token_in: str, token_out: str, amount: int) -> SvmTrade:
        """Find the best trade at present, direct or through WSOL and USDC; raise NoMarket.

        The native marker is traded as WSOL. WSOL and the native asset are not traded for each other: NoMarket.
        """
        first, last = (self.wrapped(token) for token in (token_in, token_out))
        if first == last:
            raise NoMarket(f"{token_in} and {token_out} are one token")
        if not {first, last} <= {token.address for token in self.chain.tokens.values()}:
            raise NoMarket(f"{self.chain.key}: {token_in} or {token_out} is no token of the sandbox")
        state = await _read(self.chain, self.rpc)
        between = [self.chain.tokens[symbol].address for symbol in _BETWEEN]
        ways = [[first, last]] + [[first, each, last] for each in between if each not in {first, last}]
        ways += [[first, *order, last] for order in (between, between[::-1]) if not {first, last} & set(between)]
        found = [legs for way in ways if (legs := state.legs(way, amount)) is not None]
        if not found:
            raise NoMarket(f"{self.chain.key}: no pools trade {token_in} for {token_out}")
        best = max(found, key=lambda legs: legs[-1].amount_out)
        pools = tuple(state.pools[leg.pool.address] for leg in best)
        return SvmTrade(token_in, token_out, amount, best[-1].amount_out, str(pools[0].program), best, pools)

    def wrapped(self, token: str) -> str:
        """Return the mint as which a token is traded."""
        return self.chain.tokens["WSOL"].address if token == NATIVE_SVM else token


@dataclass(frozen=True, slots=True)
class _State:
    """The pools' state at one moment."""

    plans: Sequence[tuple[Pool, tuple[str, str]]]
    pools: Mapping[str, OnchainPool]
    reserves: Mapping[str, int]
    mints: Mapping[str, Mint]
    epoch: int

    def legs(self, way: Sequence[str], amount: int) -> tuple[Leg, ...] | None:
        """Return the best pool for each pair of a path; None if one pair has no pool with an output."""
        legs: list[Leg] = []
        for token_in, token_out in pairwise(way):
            offers = [
                Leg(pool, token_in, token_out, amount, self._out(self.pools[pool.address], token_in, amount))
                for pool, tokens in self.plans
                if set(tokens) == {token_in, token_out}
            ]
            best = max(offers, key=lambda leg: leg.amount_out, default=None)
            if best is None or best.amount_out <= 0:
                return None
            legs.append(best)
            amount = best.amount_out
        return tuple(legs)

    def _out(self, pool: OnchainPool, token_in: str, amount: int) -> int:
        given, wanted = sides_of(pool, token_in)
        received = self._arriving(given, amount)
        reserve_in, reserve_out = (self.reserves[str(side.vault)] for side in (given, wanted))
        if not 0 < amount <= _MOST or reserve_in + received > _MOST:
            return 0
        return self._arriving(wanted, amount_out(reserve_in, reserve_out, received, pool.fee))

    def _arriving(self, side: PoolSide, amount: int) -> int:
        fees = self.mints[str(side.mint)].transfer_fees
        return amount if fees is None else amount - fees.at(self.epoch).of(amount)


async def _read(chain: SandboxChain, rpc: SvmRpc) -> _State:
    state, program = SvmState(rpc), Pubkey.from_string(chain.contracts["pool_program"])
    mints = {address: mint for address, mint in (await state.mints(_mints(chain))).items() if mint is not None}
    plans, pools = [], {}
    for plan in chain.pools:
        tokens = chain.tokens[plan.tokens[0]].address, chain.tokens[plan.tokens[1]].address
        plans.append((plan, tokens))
        pools[plan.address] = _pool(program, plan, tokens, mints)
    vaults = [str(side.vault) for pool in pools.values() for side in pool.sides]
    holdings = await state.token_accounts(vaults)
    reserves = {address: 0 if held is None else held.amount for address, held in holdings.items()}
    return _State(plans, pools, reserves, mints, (await rpc.epoch()).number)


def _mints(chain: SandboxChain) -> list[str]:
    return [token.address for token in chain.tokens.values()]


def _pool(program: Pubkey, plan: Pool, tokens: tuple[str, str], mints: Mapping[str, Mint]) -> OnchainPool:
    """Complete a pool from its account: its vaults are the associated accounts of its authority."""
    address = Pubkey.from_string(plan.address)
    authority, _ = pool_authority(program, address)
    first, second = (
        PoolSide(
            Pubkey.from_string(associated_token_address(str(authority), token, mints[token].program)),
            Pubkey.from_string(token), Pubkey.from_string(mints[token].program),
        )
        for token in tokens
    )  # fmt: skip
    return OnchainPool(program, address, authority, plan.fee, (first, second))


def sides_of(pool: OnchainPool, token_in: str) -> tuple[PoolSide, PoolSide]:
    """Return a pool's sides, the input's first."""
    first, second = pool.sides
    return (first, second) if str(first.mint) == token_in else (second, first)


def _step(pool: OnchainPool, leg: Leg, owner: str, source: str, destination: str, *, signer: bool) -> list[AccountRole]:
    given, wanted = sides_of(pool, leg.token_in)
    return [
        AccountRole(str(pool.program)),
        AccountRole(str(pool.address)),
        AccountRole(str(pool.authority)),
        *(AccountRole(str(side.vault), writable=True) for side in (given, wanted)),
        *(AccountRole(str(side.mint)) for side in (given, wanted)),
        *(AccountRole(str(side.token_program)) for side in (given, wanted)),
        AccountRole(source, writable=True),
        AccountRole(destination, writable=True),
        AccountRole(owner, signer=signer),
    ]
