"""The terms of Relay's quotes, and the status of a request, in the API's form."""

import time
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.devnet.upstreams.market import ACROSS_BPS
from rhumbline.devnet.upstreams.relay.order import written
from rhumbline.devnet.upstreams.relay.quote_request import Wanted
from rhumbline.devnet.upstreams.relay.steps import APPROVAL_PROXY, ROUTER
from rhumbline.devnet.upstreams.solver import Dealing, DepositState
from rhumbline.domain.chain import NATIVE_EVM

_OLDER = "0x" + "0a" * 20
_SOME_HASH = "0x" + "5a" * 32
_WORDS: Mapping[DepositState, str] = MappingProxyType(
    {
        DepositState.PENDING: "pending",
        DepositState.FILLED: "success",
        DepositState.REFUNDED: "refund",
        DepositState.FAILED: "failure",
    }
)


def chain_rows(chains: Mapping[int, SandboxChain], depository: str) -> list[dict[str, Any]]:
    """Return the list of chains, with contracts of the previous version beside the ones in use."""
    older = {"relayReceiver": _OLDER, "erc20Router": _OLDER, "approvalProxy": _OLDER}
    return [
        {
            "id": number,
            "name": chain.key,
            "displayName": chain.name,
            "disabled": False,
            "depositEnabled": True,
            "blockProductionLagging": False,
            "vmType": "evm",
            "contracts": {**older, "v3": {"erc20Router": ROUTER.lower(), "approvalProxy": APPROVAL_PROXY.lower()}},
            "protocol": {"v2": {"depository": depository.lower()}},
        }
        for number, chain in chains.items()
    ]


def solana_rows(chains: Mapping[int, SandboxChain], depository: str) -> list[dict[str, Any]]:
    """Return the list's entries for Solana, which has one program."""
    return [
        {
            "id": number,
            "name": chain.key,
            "displayName": chain.name,
            "disabled": False,
            "depositEnabled": True,
            "blockProductionLagging": False,
            "vmType": "svm",
            "contracts": {},
            "protocol": {"v2": {"depository": depository}},
        }
        for number, chain in chains.items()
    ]


def details(wanted: Wanted, output: int, minimum: int, native: int = 0) -> dict[str, Any]:
    """Return ``details``: input, output, native beside it, and duration."""
    told = {"currencyGasTopup": _gas(wanted, native)} if native else {}
    return {
        **told,
        "operation": "swap",
        "sender": written(wanted.user),
        "recipient": written(wanted.recipient),
        "currencyIn": _amount(wanted, 0, wanted.amount, wanted.amount),
        "currencyOut": _amount(wanted, 1, output, minimum),
        "refundCurrency": _amount(wanted, 0, wanted.amount, wanted.amount),
        "totalImpact": {"usd": "-0.05", "percent": "-0.05"},
        "swapImpact": {"usd": "0.00", "percent": "0.00"},
        "rate": "1",
        "slippageTolerance": {"total": str(wanted.slippage_bps)},
        "timeEstimate": 0 if wanted.same_chain else 2,
        "userBalance": "0",
        "isFixedRate": False,
    }


def fees(wanted: Wanted) -> dict[str, Any]:
    """Return ``fees``, all in the input currency: the cost of a crossing, a fifth of it for gas."""
    relayer = 0 if wanted.same_chain else wanted.amount * ACROSS_BPS // 10_000
    parts = {
        "gas": 0,
        "relayer": relayer,
        "relayerGas": relayer // 5,
        "relayerService": relayer - relayer // 5,
        "app": 0,
        "subsidized": 0,
    }
    return {name: _amount(wanted, 0, amount, amount) for name, amount in parts.items()}


def status_body(forced: str | None, dealing: Dealing | None, destination: int | None) -> dict[str, Any]:
    """Return a request's status; ``forced`` replaces its word."""
    word = forced or ("waiting" if dealing is None else _WORDS[dealing.state])
    said = None if dealing is None else _sent(dealing).get(word)
    if forced in ("success", "refund", "refunded") and said is None:
        said = _SOME_HASH
    body: dict[str, Any] = {
        "status": word,
        "inTxHashes": [] if dealing is None else [dealing.deposit.tx_hash],
        "txHashes": [] if said is None else [said],
        "updatedAt": int(time.time() * 1000),
    }
    if word in ("refund", "refunded", "failure"):
        body |= {"failReason": "SLIPPAGE", "refundFailReason": "N/A"}
    if dealing is not None and destination is not None:
        body |= {"originChainId": dealing.deposit.chain_id, "destinationChainId": destination}
    return body


def _sent(dealing: Dealing) -> dict[str, str | None]:
    return {"success": dealing.fill_tx, "refund": dealing.refund_tx, "refunded": dealing.refund_tx}


def _gas(wanted: Wanted, native: int) -> dict[str, Any]:
    of = replace(wanted, token_out=NATIVE_EVM, symbols=("", "ETH"), decimals=(18, 18))
    return _amount(of, 1, native, native)


def _amount(wanted: Wanted, side: int, amount: int, minimum: int) -> dict[str, Any]:
    decimals = wanted.decimals[side]
    whole = f"{amount // 10**decimals}.{amount % 10**decimals:0{decimals}d}".rstrip("0")
    return {
        "currency": {
            "chainId": (wanted.origin, wanted.destination)[side],
            "address": written((wanted.token_in, wanted.token_out)[side]),
            "symbol": wanted.symbols[side],
            "name": wanted.symbols[side],
            "decimals": decimals,
            "metadata": {"logoURI": "", "verified": True},
        },
        "amount": str(amount),
        "amountFormatted": whole + "0" if whole.endswith(".") else whole,
        "amountUsd": "0",
        "minimumAmount": str(minimum),
    }
