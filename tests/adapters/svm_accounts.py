"""A node of Solana that knows the accounts that it is given, and nothing else."""

from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from struct import pack

from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.programs import LOOKUP_TABLES, SPL
from tests.clocks import leaping

_SLOT = 440_909_041
_NEVER = 2**64 - 1
RENT = 2_039_280


@dataclass
class KnownAccounts:
    """``accounts`` by address; ``fails`` makes every answer an error."""

    accounts: dict[str, Account] = field(default_factory=dict)
    fails: bool = False

    async def _answer(self, request: web.Request) -> web.Response:
        if self.fails:
            return web.Response(status=503)
        asked = await request.json()
        assert asked["method"] == "getMultipleAccounts", asked["method"]
        value = [_told(self.accounts.get(each)) for each in asked["params"][0]]
        return web.json_response({"jsonrpc": "2.0", "id": 0, "result": {"context": {"slot": _SLOT}, "value": value}})


@asynccontextmanager
async def known_accounts() -> AsyncIterator[tuple[KnownAccounts, SvmRpc]]:
    known = KnownAccounts()
    app = web.Application()
    app.router.add_post("/", known._answer)
    async with hosted(app) as url, HttpClient() as http:
        yield known, SvmRpc(url, http, moment=Moment(leaping()))


def mint(decimals: int, program: str = SPL) -> Account:
    data = pack("<I32sQB?I32s", 0, bytes(32), 10**15, decimals, True, 0, bytes(32))
    return Account(1_461_600, program, data, executable=False)


def tokens(
    owner: str, mint: str, amount: int, program: str = SPL, delegate: str | None = None, closer: str | None = None,
    *, native: bool = False,
) -> Account:  # fmt: skip
    data = pack(
        "<32s32sQI32sBIQQI32s", decode_address(mint), decode_address(owner), amount, *_optional(delegate), 1,
        int(native), RENT if native else 0, amount if delegate else 0, *_optional(closer),
    )  # fmt: skip
    return Account(RENT + (amount if native else 0), program, data, executable=False)


def table(entries: Mapping[int, str]) -> Account:
    """Make a lookup table; places that nobody names hold nobody."""
    listed = [decode_address(entries[i]) if i in entries else bytes(32) for i in range(max(entries) + 1)]
    header = pack("<IQQB", 1, _NEVER, _SLOT - 1000, 0).ljust(56, b"\x00")
    return Account(10**7, LOOKUP_TABLES, header + b"".join(listed), executable=False)


def _optional(address: str | None) -> tuple[int, bytes]:
    return (0, bytes(32)) if address is None else (1, decode_address(address))


def _told(account: Account | None) -> object:
    if account is None:
        return None
    return {
        "lamports": account.lamports,
        "owner": account.owner,
        "data": [b64encode(account.data).decode(), "base64"],
        "executable": account.executable,
        "rentEpoch": 2**64 - 1,
        "space": len(account.data),
    }
