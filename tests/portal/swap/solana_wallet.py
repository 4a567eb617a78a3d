"""A Solana wallet for tests: registers itself (Wallet Standard), signs with a real key, sends for real where it can."""

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field

from rhumbline.devnet.svm.wallet import SvmClient, SvmWallet, signed_by
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.wallet import ICON

SCRIPT = """
(() => {
  const waiting = new Map();
  let number = 0;
  window.solanaAnswer = (id, error, result) => {
    const {resolve, reject} = waiting.get(id);
    error ? reject(Object.assign(new Error(error.message), error)) : resolve(result);
  };
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const ask = (method, transaction) => new Promise((resolve, reject) => {
    number += 1;
    waiting.set(number, {resolve, reject});
    const data = transaction && btoa(String.fromCharCode(...transaction));
    solanaRequest(JSON.stringify({id: number, method, data}));
  });
  const account = {address: ADDRESS, publicKey: bytes(KEY), chains: ['solana:mainnet'], features: FEATURES};
  const all = {
    'solana:signAndSendTransaction': {version: '1.0.0', supportedTransactionVersions: ['legacy', 0],
      signAndSendTransaction: async ({transaction}) => [{signature: bytes(await ask('send', transaction))}]},
    'solana:signTransaction': {version: '1.0.0', supportedTransactionVersions: ['legacy', 0],
      signTransaction: async ({transaction}) => [{signedTransaction: bytes(await ask('sign', transaction))}]},
  };
  let accounts = [];
  window.solanaLocks = () => { accounts = []; };
  const wallet = {version: '1.0.0', name: 'Astrolabe', icon: ICON, chains: ['solana:mainnet'],
    get accounts() { return accounts; },
    features: {
      'standard:connect': {version: '1.0.0', connect: async () => { accounts = [account]; return {accounts}; }},
      'standard:events': {version: '1.0.0', on: () => () => {}},
      ...Object.fromEntries(FEATURES.map((name) => [name, all[name]])),
    }};
  const register = ({register}) => register(wallet);
  addEventListener('wallet-standard:app-ready', (event) => register(event.detail));
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', {detail: register}));
})();
"""


@dataclass
class SolanaTestWallet:
    """``features`` are what it says that it can; ``seen`` are the methods that it was asked for.

    ``refuses`` is what it says where it signs nothing; ``silent``, it sends and says that it failed.
    """

    wallet: SvmWallet
    features: tuple[str, ...] = ("solana:signAndSendTransaction",)
    seen: list[str] = field(default_factory=list)
    refuses: str = ""
    silent: bool = False

    async def into(self, page: Page) -> None:
        async def answer(payload: str) -> None:
            asked = json.loads(payload)
            self.seen.append(asked["method"])
            error = {"message": self.refuses or "it timed out"} if self.refuses or self.silent else None
            result = "" if self.refuses else await self.sign(asked["method"], b64decode(asked["data"]))
            call = ", ".join(json.dumps(item) for item in (asked["id"], error, result))
            await page.evaluate(f"solanaAnswer({call})")

        told = {
            "ADDRESS": self.wallet.address,
            "KEY": b64encode(bytes(self.wallet.key.pubkey())).decode(),
            "FEATURES": list(self.features),
            "ICON": ICON,
        }
        script = SCRIPT
        for name, value in told.items():
            script = script.replace(name, json.dumps(value))
        await page.bind("solanaRequest", answer, script)

    async def sign(self, method: str, transaction: bytes) -> str:
        signed = signed_by(self.wallet.key, transaction)
        if method == "send":
            await self.wallet.rpc.send(signed)
            # A transaction begins with the number of its signatures, in one byte, and the first of them.
            signed = signed[1:65]
        return b64encode(signed).decode()


def solana_wallet(portal_service: PortalService, http: HttpClient, key: str | None = None) -> SolanaTestWallet:
    """The sandbox's funded wallet, or that of another key."""
    sandbox = portal_service.sandbox
    (chain,) = [each for each in sandbox.chains if each.type is ChainType.SVM]
    funded = next(each for each in sandbox.accounts if each.type is ChainType.SVM)
    client = SvmClient(SvmRpc(chain.rpc_url, http, chain.key, 60.0))
    return SolanaTestWallet(client.wallet(key or funded.private_key))
