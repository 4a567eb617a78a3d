"""A customer of a deployed service: asks for a quote, signs, sends, and waits for the record."""

import asyncio
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from rhumbline.devnet.evm.accounts import sandbox_account, signer
from rhumbline.devnet.evm.wallet import EvmWallet
from rhumbline.domain.chain import NATIVE_EVM
from tests.e2e.own_chain import CHAIN_ID, ETHER, OwnChain
from tests.patience import PATIENCE_S

PAYER, CUSTOMER = sandbox_account(0), sandbox_account(1)


def chain_variables(chain: OwnChain) -> dict[str, str]:
    """The chain's settings as variables: what an operator with one .env writes."""
    read = tomllib.loads(chain.settings)
    return {
        "RHUMBLINE_CHAINS": json.dumps(read["chains"]),
        "RHUMBLINE_TOKENS": json.dumps(read["tokens"]),
        "RHUMBLINE_ADAPTERS__ONCHAIN__DEPLOYMENTS": json.dumps(read["adapters"]["onchain"]["deployments"]),
        "RHUMBLINE_PRICES__SOURCES": '["onchain"]',
    }


@dataclass(frozen=True)
class Customer:
    chain: OwnChain
    url: str
    session: aiohttp.ClientSession

    async def get(self, path: str, **query: str) -> Any:
        """Ask until there is an answer of 200: processes and connections come back in their own time."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    async with self.session.get(f"{self.url}{path}", params=query) as response:
                        if response.status == 200:
                            return await response.json()
                except (OSError, aiohttp.ClientError):
                    pass
                await asyncio.sleep(0.1)

    @property
    def question(self) -> dict[str, str]:
        """What a quote is asked by: half an ether for USDC."""
        asked = {"originChainId": str(CHAIN_ID), "destinationChainId": str(CHAIN_ID), "amount": str(ETHER // 2)}
        asked |= {"originCurrency": NATIVE_EVM, "destinationCurrency": self.chain.usdc}
        return asked | {"senderAddress": CUSTOMER.address}

    async def swaps(self) -> Mapping[str, Any]:
        """Swap half an ether, and return the record once it says success."""
        quote = await self.get("/v1/quotes", **self.question)
        receipt = await EvmWallet(signer(CUSTOMER), self.chain.rpc, CHAIN_ID).execute(quote)
        async with asyncio.timeout(PATIENCE_S):
            while True:
                record: Mapping[str, Any] = await self.get(f"/v1/status/{quote['transactionId']}")
                if record["status"] in ("success", "failed"):
                    assert record["status"] == "success", record
                    assert receipt.tx_hash in json.dumps(record)
                    return record
                await asyncio.sleep(0.2)
