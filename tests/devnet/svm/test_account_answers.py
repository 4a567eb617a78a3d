"""Answers are read by the readers of solana-py, which are solders': what they cannot read they raise on."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from solders.rpc import responses
from solders.signature import Signature

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.devnet.svm.plans import HELD_USD, raw_amount
from rhumbline.devnet.svm.programs import TOKEN
from rhumbline.devnet.svm.server import answered, call
from tests.devnet.svm.set_up_chain import PLAN, SetUpChain, sides

USER = str(keypair(0).pubkey())
HELD = str(token("USDC").account(keypair(0).pubkey()))
BASE64 = {"encoding": "base64"}
PARSED = {"encoding": "jsonParsed"}


@dataclass(frozen=True)
class Swapped:
    """A chain on which somebody swapped, and the swap's signature."""

    local: SetUpChain
    signature: str

    def read(self, reader: Any, method: str, *params: object) -> Any:
        request = {"jsonrpc": "2.0", "id": 0, "method": method, "params": list(params)}
        text = json.dumps(answered(request, lambda name, given: call(self.local.chain, name, given)))
        found = reader.from_json(text)
        assert isinstance(found, reader), text
        return found.value


@pytest.fixture(scope="module")
def swapped() -> Swapped:
    local = SetUpChain()
    given, wanted = (each.account(local.user.pubkey()) for each in sides(PLAN))
    executed = local.done([local.pool(PLAN).swap(local.user.pubkey(), given, wanted, 10**6, 1)])
    local.chain.advance(32)
    return Swapped(local, executed.signature)


READ: list[tuple[Any, str, list[Any]]] = [
    (responses.GetHealthResp, "getHealth", []),
    (responses.GetVersionResp, "getVersion", []),
    (responses.GetSlotResp, "getSlot", []),
    (responses.GetBlockHeightResp, "getBlockHeight", []),
    (responses.GetGenesisHashResp, "getGenesisHash", []),
    (responses.GetEpochInfoResp, "getEpochInfo", []),
    (responses.GetLatestBlockhashResp, "getLatestBlockhash", []),
    (responses.GetTransactionCountResp, "getTransactionCount", []),
    (responses.GetFirstAvailableBlockResp, "getFirstAvailableBlock", []),
    (responses.GetMinimumBalanceForRentExemptionResp, "getMinimumBalanceForRentExemption", [165]),
    (responses.GetRecentPrioritizationFeesResp, "getRecentPrioritizationFees", [[USER]]),
    (responses.GetBalanceResp, "getBalance", [USER]),
    (responses.GetAccountInfoResp, "getAccountInfo", [USER, BASE64]),
    (responses.GetMultipleAccountsResp, "getMultipleAccounts", [[USER, HELD, "1" * 32], BASE64]),
    (responses.GetProgramAccountsResp, "getProgramAccounts", [str(TOKEN), BASE64]),
    (responses.GetTokenAccountBalanceResp, "getTokenAccountBalance", [HELD]),
    (responses.GetTokenSupplyResp, "getTokenSupply", [str(token("USDC").mint)]),
    (responses.GetSignaturesForAddressResp, "getSignaturesForAddress", [USER]),
    (responses.GetSignatureStatusesResp, "getSignatureStatuses", [[str(Signature.default())]]),
    (responses.RequestAirdropResp, "requestAirdrop", [USER, 10**9]),
]


@pytest.mark.parametrize(
    ("reader", "method", "params"), READ, ids=lambda value: value if isinstance(value, str) else ""
)
def test_an_answer_is_read(swapped: Swapped, reader: Any, method: str, params: list[Any]) -> None:
    assert swapped.read(reader, method, *params) is not None


def test_tokens_are_read_in_words(swapped: Swapped) -> None:
    wanted = {"mint": str(token("USDC").mint)}
    (found,) = swapped.read(
        responses.GetTokenAccountsByOwnerJsonParsedResp, "getTokenAccountsByOwner", USER, wanted, PARSED
    )
    amount = found.account.data.parsed["info"]["tokenAmount"]["amount"]
    assert int(amount) == raw_amount("USDC", HELD_USD) - 10**6


@pytest.mark.parametrize("encoding", ["json", "base64"])
def test_a_transaction_is_read(swapped: Swapped, encoding: str) -> None:
    options = {"encoding": encoding, "maxSupportedTransactionVersion": 0}
    found = swapped.read(responses.GetTransactionResp, "getTransaction", swapped.signature, options)
    meta = found.transaction.meta
    assert meta.err is None
    assert len(meta.inner_instructions[0].instructions) == 2
    before, after = (
        [int(each.ui_token_amount.amount) for each in balances]
        for balances in (meta.pre_token_balances, meta.post_token_balances)
    )
    gained = sorted(new - old for old, new in zip(before, after, strict=True))
    # Two million dollars of liquidity: what comes out is a little less than what went in.
    assert gained[0] == -gained[3] == -(10**6)
    assert 990_000 < gained[2] == -gained[1] < 10**6
    assert meta.return_data is not None
