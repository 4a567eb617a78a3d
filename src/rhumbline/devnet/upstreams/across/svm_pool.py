"""The SpokePool of the sandbox's Solana chain: our own program at the real one's address, and the relayer there."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from struct import unpack

from rhumbline.devnet.evm.operator import SetUpError
from rhumbline.devnet.upstreams.across.relay import Relay, Relayed
from rhumbline.devnet.upstreams.across.svm_spoke import (
    SPOKE,
    STATE,
    fill_account,
    filling,
    initialisation,
    read_deposited,
    refunding,
)
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount
from rhumbline.gateways.svm.tokens import Mint

CLOCK = "SysvarC1ock11111111111111111111111111111111"
_FILLED = 2


@dataclass(frozen=True, slots=True)
class SvmPool:
    """The pool of one chain; the solver owns it and fills deposits."""

    node: SvmNode
    chain_id: int

    async def install(self, symbols: frozenset[str]) -> None:
        """Install the program, with a vault for each token that it serves, if they do not exist yet."""
        await self.node.install_program(SPOKE, "svm_spoke")
        tokens = [self.node.chain.tokens[symbol].address for symbol in sorted(symbols & self.node.chain.tokens.keys())]
        made = await self.node.missing([await self._account(STATE, token) for token in tokens])
        if await self.node.rpc.account(STATE) is None:
            made.insert(0, initialisation(self.node.solver, self.chain_id))
        # A transaction waits for the chain's next slot, so all of it is one transaction.
        if made:
            await self.node.send(made)

    def symbols(self, token: bytes) -> frozenset[str]:
        """Return the symbols of a token's address on this chain."""
        address = encode_address(token)
        return frozenset(symbol for symbol, each in self.node.chain.tokens.items() if each.address == address)

    async def deposits(self) -> AsyncIterator[Relayed]:
        """Yield deposits as they are made."""
        async for executed in self.node.transactions(SPOKE):
            for relayed in read_deposited(self.chain_id, executed):
                yield relayed

    async def time(self) -> int:
        """Return the pool's present time."""
        clock = await self.node.rpc.account(CLOCK)
        return 0 if clock is None else int(unpack("<QqQQq", clock.data)[-1])

    async def stands(self, tx_hash: str) -> bool:
        """Return whether a deposit's transaction is on the chain."""
        return await self.node.stands(tx_hash)

    async def fill(self, relay: Relay) -> str:
        """Fill a relay, and return the transaction; raise SetUpError if the pool refuses."""
        token = encode_address(relay.output_token)
        await self.node.send([(await self._account(encode_address(relay.recipient), token)).encode()])
        mint = await self._mint(token)
        return await self.node.send(filling(relay, self.chain_id, self.node.solver, (mint.program, mint.decimals)))

    async def filled(self, relay: Relay) -> bool:
        """Read whether the relay was filled by anybody."""
        account = await self.node.rpc.account(fill_account(relay, self.chain_id))
        return account is not None and account.data[8] == _FILLED

    async def refund(self, relay: Relay) -> str:
        """Refund a deposit, and return the transaction."""
        token = encode_address(relay.input_token)
        return await self.node.send([refunding(relay, self.node.solver, (await self._mint(token)).program)])

    async def _account(self, owner: str, token: str) -> CreateTokenAccount:
        return CreateTokenAccount.of(self.node.solver, owner, token, (await self._mint(token)).program)

    async def _mint(self, token: str) -> Mint:
        mint = (await SvmState(self.node.rpc).mints([token]))[token]
        if mint is None:
            raise SetUpError(f"{self.node.chain.key}: {token} is no token")
        return mint
