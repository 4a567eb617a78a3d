"""What emulators use of a Solana chain: its node, a paying account, programs and executed transactions."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from solders.keypair import Keypair

from rhumbline.devnet.evm.operator import SetUpError
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.svm.accounts import SOLVER, keypair
from rhumbline.devnet.svm.program_build import program
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.messages import compile_v0, serialise

_DEADLINE_S = 30.0


@dataclass
class NodeNews:
    """A node's announcements: slots, each of which wakes all waiting tasks, and transactions by address."""

    ws_url: str
    session: aiohttp.ClientSession
    _listeners: set[asyncio.Event] = field(default_factory=set)
    _socket: aiohttp.ClientWebSocketResponse | None = None

    async def connect(self, stack: AsyncExitStack) -> None:
        """Subscribe to slots; the connection ends with `stack`."""
        self._socket = await stack.enter_async_context(self._subscribed("slotSubscribe"))

    async def run(self) -> None:
        """Wake waiting tasks, until cancelled."""
        if self._socket is None:
            raise RuntimeError("connect first")
        async for _ in self._socket:
            for listener in self._listeners:
                listener.set()

    async def slots(self) -> AsyncIterator[None]:
        """Yield now, and whenever slots have passed since."""
        listener = asyncio.Event()
        listener.set()
        self._listeners.add(listener)
        try:
            while True:
                await listener.wait()
                listener.clear()
                yield
        finally:
            self._listeners.discard(listener)

    async def mentions(self, address: str) -> AsyncIterator[None]:
        """Yield now, and for each later transaction that names an address, once it is confirmed."""
        about = ({"mentions": [address]}, {"commitment": "confirmed"})
        async with self._subscribed("logsSubscribe", *about) as socket:
            yield
            async for _ in socket:
                yield
        raise ConnectionError("the node hung up")

    @asynccontextmanager
    async def _subscribed(self, method: str, *about: object) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
        async with self.session.ws_connect(self.ws_url) as socket:
            await socket.send_json({"jsonrpc": "2.0", "id": 1, "method": method, "params": about})
            await socket.receive_json()
            yield socket


@dataclass(frozen=True, slots=True)
class SvmNode:
    """A running Solana chain. ``solver`` has SOL and every token."""

    rpc: SvmRpc
    chain: SandboxChain
    news: NodeNews
    on_duty: Callable[[], bool] = lambda: True

    @property
    def solver(self) -> str:
        """The address of the paying account."""
        return str(keypair(SOLVER).pubkey())

    async def install_program(self, address: str, name: str) -> None:
        """Place `devnet/svm/program/<name>.so` at an address; raise FileNotFoundError if it was not built."""
        await self.rpc.call("sandbox_setProgram", [address, b64encode(program(name)).decode()])

    async def missing(self, accounts: Sequence[CreateTokenAccount]) -> list[SvmInstruction]:
        """Return the instructions that create the missing ones of up to 100 token accounts."""
        there = (await self.rpc.accounts([each.account for each in accounts])).found
        return [each.encode() for each in accounts if there[each.account] is None]

    async def store(self, address: str, owner: str, data: bytes, lamports: int | None = None) -> None:
        """Set an account directly, which no transaction could do; without ``lamports`` it is rent-exempt."""
        rent = await self.rpc.rent()
        held = rent.minimum(len(data)) if lamports is None else lamports
        content = {"lamports": held, "owner": owner, "data": b64encode(data).decode()}
        await self.rpc.call("sandbox_setAccount", [address, content])

    async def send(self, instructions: Sequence[SvmInstruction], *signers: Keypair, tables: Sequence[str] = ()) -> str:
        """Execute instructions in a transaction of the solver's, and return its signature once it is confirmed.

        ``signers`` sign too. Raise SetUpError if it fails.
        """
        blockhash = (await self.rpc.latest_blockhash()).value
        found = await SvmState(self.rpc).tables(tables) if tables else ()
        message = compile_v0(self.solver, instructions, found, blockhash)
        keys = {str(key.pubkey()): key for key in (keypair(SOLVER), *signers)}
        signatures = {address: bytes(key.sign_message(message)) for address, key in keys.items()}
        try:
            signature = await self.rpc.send(serialise(message, list(keys), signatures))
        except SvmRpcError as error:
            raise SetUpError(f"{self.chain.key}: {error}: {' / '.join(error.logs)}") from None
        await self._confirmed(signature)
        return signature

    async def pay(self, token: str, receiver: str, amount: int) -> str:
        """Pay raw units of a token (lamports for the native marker) to a wallet's own account, created if needed.

        Return the signature; raise SetUpError if it fails.
        """
        if token == NATIVE_SVM:
            return await self.send([SystemTransfer(self.solver, receiver, amount).encode()])
        mint = (await SvmState(self.rpc).mints([token]))[token]
        if mint is None:
            raise SetUpError(f"{self.chain.key}: {token} is no token")
        made = CreateTokenAccount.of(self.solver, receiver, token, mint.program)
        source = associated_token_address(self.solver, token, mint.program)
        paid = TokenTransfer(mint.program, source, made.account, self.solver, amount, token, mint.decimals)
        return await self.send([made.encode(), paid.encode()])

    async def transactions(self, address: str) -> AsyncIterator[ExecutedTransaction]:
        """Yield new successful transactions that name an address, in order, once they are confirmed.

        Transactions during a time off duty are skipped.
        """
        known = await self.rpc.signatures(address)
        seen = {each.signature for each in known}
        async for _ in self.news.mentions(address):
            # After the chain was set back, the latest signature may be unknown to it, and it answers all that it has.
            known = await self.rpc.signatures(address, until=known[0].signature if known else None) or known
            new = [each for each in known if each.signature not in seen]
            seen.update(each.signature for each in new)
            if not self.on_duty():
                continue
            for each in reversed(new):
                executed = None if each.error is not None else await self.rpc.transaction(each.signature)
                if executed is not None:
                    yield executed

    async def stands(self, signature: str) -> bool:
        """Return whether a transaction is on the chain, which may have been set back."""
        (status,) = await self.rpc.statuses([signature])
        return status is not None and status.error is None

    async def _confirmed(self, signature: str) -> None:
        async with asyncio.timeout(_DEADLINE_S):
            async for _ in self.news.slots():
                (status,) = await self.rpc.statuses([signature])
                if status is None:
                    raise SetUpError(f"{self.chain.key}: {signature} is not on the chain")
                if status.error is not None:
                    raise SetUpError(f"{self.chain.key}: {signature} failed: {status.error}")
                if status.commitment != "processed":
                    return
