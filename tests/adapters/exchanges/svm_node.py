"""A node of Solana that knows some accounts, and tells of no other."""

from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from struct import pack

from aiohttp import web

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.programs import SPL
from tests.loopback import hosted


def mint(decimals: int, program: str = SPL) -> Account:
    return Account(1_461_600, program, pack("<I32sQB?I32s", 0, bytes(32), 10**15, decimals, True, 0, bytes(32)))


def holding(address_of_mint: str, owner: str, amount: int, *, native: bool = False) -> Account:
    """A token account in use, with nobody beside its owner."""
    data = pack(
        "<32s32sQI32sBIQQI32s", decode_address(address_of_mint), decode_address(owner), amount, 0, bytes(32), 1,
        int(native), 2_039_280 if native else 0, 0, 0, bytes(32),
    )  # fmt: skip
    return Account(2_039_280 + (amount if native else 0), SPL, data)


@asynccontextmanager
async def knowing(accounts: Mapping[str, Account]) -> AsyncIterator[SvmRpc]:
    """Run one; accounts that are put into the mapping later are known from then on."""

    async def answer(request: web.Request) -> web.Response:
        asked = await request.json()
        assert asked["method"] == "getMultipleAccounts"
        values = [_told(accounts.get(address)) for address in asked["params"][0]]
        result = {"context": {"slot": 1}, "value": values}
        return web.json_response({"jsonrpc": "2.0", "id": asked["id"], "result": result})

    app = web.Application()
    app.router.add_post("/", answer)
    async with hosted(app) as url, HttpClient() as http:
        yield SvmRpc(f"{url}/", http, "sol")


def _told(account: Account | None) -> object:
    if account is None:
        return None
    data = [b64encode(account.data).decode(), "base64"]
    return {
        "lamports": account.lamports, "owner": account.owner, "data": data, "executable": account.executable,
        "rentEpoch": 0, "space": len(account.data),
    }  # fmt: skip
