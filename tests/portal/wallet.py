"""A browser wallet for tests: announces itself (EIP-6963), speaks EIP-1193, signs with a real key, sends for real."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import aiohttp
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.portal.chromium import PATIENCE_S, Page

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E"
    "%3Crect width='8' height='8' fill='%231d7c99'/%3E%3C/svg%3E"
)
SCRIPT = """
(() => {
  const waiting = new Map(), listeners = new Map();
  let number = 0;
  window.walletAnswer = (id, error, result) => {
    // Who asked may be gone with the page.
    if (!waiting.has(id)) return;
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    error ? reject(Object.assign(new Error(error.message), error)) : resolve(result);
  };
  window.walletEvent = (name, value) => (listeners.get(name) ?? []).forEach((listener) => listener(value));
  const provider = {
    request: ({method, params}) => new Promise((resolve, reject) => {
      number += 1;
      waiting.set(number, {resolve, reject});
      walletRequest(JSON.stringify({id: number, method, params: params ?? []}));
    }),
    on: (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
    removeListener: () => {},
  };
  const info = {uuid: '6f2c1d9e-8a51-4d0a-9a44-2f3f7d1b9f10', name: 'Sextant', icon: ICON, rdns: 'test.sextant'};
  const detail = Object.freeze({info, provider});
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', {detail}));
  addEventListener('eip6963:requestProvider', announce);
  announce();
})();
""".replace("ICON", json.dumps(ICON))


class WalletRefusal(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def always(value: Any) -> Callable[[list[Any]], Awaitable[Any]]:
    """An answer that is the same whatever is asked with."""

    async def answer(_: list[Any]) -> Any:
        return value

    return answer


class Held(asyncio.Event):
    """Set, it lets those go on that have reached it."""

    def __init__(self) -> None:
        super().__init__()
        self._reached = asyncio.Event()

    async def wait(self) -> Literal[True]:
        self._reached.set()
        return await super().wait()

    async def reached(self) -> None:
        await asyncio.wait_for(self._reached.wait(), PATIENCE_S)


@dataclass
class TestWallet:
    """``rpc_urls`` by chain ID; ``seen`` lists the methods asked for, ``hashes`` what it has sent.

    ``refuse`` makes it decline a method; only one that ``signs_typed_data`` knows how. ``held`` are methods that it
    answers only when their event is set, ``answers`` those that it answers otherwise.
    """

    __test__ = False

    private_key: str
    rpc_urls: dict[int, str]
    session: aiohttp.ClientSession
    chain_id: int = 1
    seen: list[tuple[str, list[Any]]] = field(default_factory=list)
    refuse: Callable[[str], bool] = lambda method: False
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    hashes: list[str] = field(default_factory=list)
    signs_typed_data: bool = False
    answers: dict[str, Callable[[list[Any]], Awaitable[Any]]] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def address(self) -> str:
        return str(Account.from_key(self.private_key).address)

    async def into(self, page: Page) -> None:
        async def answer(payload: str) -> None:
            asked = json.loads(payload)
            error, result = None, None
            try:
                result = await self.request(asked["method"], asked["params"])
            except WalletRefusal as refusal:
                error = {"code": refusal.code, "message": str(refusal)}
            call = ", ".join(json.dumps(item) for item in (asked["id"], error, result))
            await page.evaluate(f"window.walletAnswer?.({call})")

        await page.bind("walletRequest", answer, SCRIPT)

    async def request(self, method: str, params: list[Any]) -> Any:
        self.seen.append((method, params))
        self._news.set()
        if method in self.held:
            await self.held[method].wait()
        if method in self.answers:
            return await self.answers[method](params)
        if self.refuse(method):
            raise WalletRefusal(4001, "User rejected the request.")
        if method in {"eth_requestAccounts", "eth_accounts"}:
            return [self.address]
        if method == "eth_chainId":
            return hex(self.chain_id)
        if method == "wallet_switchEthereumChain":
            wanted = int(params[0]["chainId"], 16)
            if wanted not in self.rpc_urls:
                raise WalletRefusal(4902, "Unrecognized chain")
            self.chain_id = wanted
            return None
        if method == "personal_sign":
            assert params[1].lower() == self.address.lower()
            return self.sign(bytes.fromhex(params[0][2:]).decode())
        if method == "eth_signTypedData_v4":
            if not self.signs_typed_data:
                raise WalletRefusal(4200, "The wallet does not support this method.")
            assert params[0].lower() == self.address.lower()
            signed = Account.sign_typed_data(self.private_key, full_message=json.loads(params[1]))
            return "0x" + bytes(signed.signature).hex()
        if method == "eth_sendTransaction":
            if params[0].get("chainId") != hex(self.chain_id):
                raise WalletRefusal(-32602, "The transaction must name the chain that the wallet is on")
            return await self.send_transaction(params[0])
        return await self.rpc(method, *params)

    def sign(self, text: str) -> str:
        signed = Account.sign_message(encode_defunct(text=text), self.private_key)
        return "0x" + bytes(signed.signature).hex()

    async def send_transaction(self, asked: dict[str, str], nonce: str | None = None, dearer: int = 1) -> Any:
        """Sign and send; with the nonce of another one, and `dearer` than it, in its place."""
        assert asked["from"].lower() == self.address.lower()
        fields = {key: asked[key] for key in ("from", "to", "value", "data") if key in asked}
        gas = asked.get("gas") or await self.rpc("eth_estimateGas", fields)
        price = int(await self.rpc("eth_gasPrice"), 16) * 2 * dearer
        signed = Account.sign_transaction(
            {
                "chainId": self.chain_id,
                "nonce": int(nonce or await self.rpc("eth_getTransactionCount", self.address, "pending"), 16),
                "to": asked["to"],
                "value": int(asked.get("value", "0x0"), 16),
                "data": asked["data"],
                "gas": int(gas, 16),
                # A tip would be what the node suggests next: each test would pay more than the one before.
                "maxFeePerGas": price,
                "maxPriorityFeePerGas": dearer - 1,
            },
            self.private_key,
        )
        sent: str = await self.rpc("eth_sendRawTransaction", "0x" + bytes(signed.raw_transaction).hex())
        self.hashes.append(sent)
        self._news.set()
        return sent

    async def sent(self, number: int) -> str:
        """Wait until it has sent so many transactions; answer the hash of the last of them."""
        await self._until(lambda: len(self.hashes) >= number, f"{number} transactions")
        return self.hashes[number - 1]

    async def _until(self, holds: Callable[[], bool], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"never: {what}; {self.seen[-20:]}") from None

    async def receipt(self, tx_hash: str) -> Any:
        """Wait for a transaction of ours to be in a block, and see that it went through."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                if (found := await self.rpc("eth_getTransactionReceipt", tx_hash)) is not None:
                    assert found["status"] == "0x1", found
                    return found
                await asyncio.sleep(0.05)

    def hold(self, method: str) -> Held:
        """Answer this method only when what is answered here is set."""
        held = self.held[method] = Held()
        return held

    def transactions(self) -> list[dict[str, str]]:
        """What it was asked to sign and send, one by one."""
        return [params[0] for method, params in self.seen if method == "eth_sendTransaction"]

    def orders(self) -> list[dict[str, Any]]:
        """The same, and what it was asked to send as one batch."""
        return [params[0] for method, params in self.seen if method in {"eth_sendTransaction", "wallet_sendCalls"}]

    async def asked_for(self, method: str, *params: Any, times: int = 1) -> None:
        """Wait until a page has asked for this so often."""
        await self._until(lambda: self.seen.count((method, list(params))) >= times, method)

    async def tell(self, page: Page, event: str, value: Any) -> None:
        """Tell a page of an event, as EIP-1193 has them."""
        await page.evaluate(f"walletEvent({json.dumps(event)}, {json.dumps(value)})")

    async def rpc(self, method: str, *params: Any) -> Any:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        async with self.session.post(self.rpc_urls[self.chain_id], json=body) as response:
            answer = await response.json(content_type=None)
        if "error" in answer:
            raise WalletRefusal(answer["error"].get("code", -32603), answer["error"]["message"])
        return answer["result"]
