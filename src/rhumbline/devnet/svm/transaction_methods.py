"""RPC methods that execute or simulate transactions, and the faucet."""

import contextlib
from collections.abc import Mapping
from types import MappingProxyType

from solders.message import from_bytes_versioned
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.account_answers import account_json
from rhumbline.devnet.svm.chain import Dropped, SvmChain, Trial, is_signed
from rhumbline.devnet.svm.chain_methods import Method, slot_of, with_context
from rhumbline.devnet.svm.execution import loaded_json
from rhumbline.devnet.svm.faults import INVALID_PARAMS, PREFLIGHT_FAILURE, SIGNATURE_FAILURE, RpcFault, invalid
from rhumbline.devnet.svm.parameters import Options, Parameters, read_bytes, read_key, read_number, read_transaction
from rhumbline.devnet.svm.slots import LIFETIME, height
from rhumbline.devnet.svm.transaction_errors import error_words
from rhumbline.gateways.svm import base58

_FEE = 5000
_MOST_ACCOUNTS = 64
_MOST_LAMPORTS = 10**15


def _send(chain: SvmChain, parameters: Parameters) -> object:
    options = parameters.options(1)
    transaction = read_transaction(parameters.at(0), options.text("encoding"))
    preflight = not options.truth("skipPreflight")
    slot_of(chain, Options({"minContextSlot": options.number("minContextSlot"), "commitment": "processed"}))
    if not is_signed(transaction):
        raise RpcFault(SIGNATURE_FAILURE, "Transaction signature verification failure")
    if preflight:
        trial = chain.simulate(transaction, check_repetition=True)
        if trial.error is not None:
            words = f"Transaction simulation failed: {error_words(trial.error)}"
            raise RpcFault(PREFLIGHT_FAILURE, words, _trial_json(chain, trial, Options({})))
    # With the preflight skipped, a node forwards it all the same, and no block ever includes it.
    with contextlib.suppress(Dropped):
        chain.send(transaction)
    return str(transaction.signatures[0])


def _simulate(chain: SvmChain, parameters: Parameters) -> object:
    options = parameters.options(1)
    transaction = read_transaction(parameters.at(0), options.text("encoding"))
    replaced, verified = options.truth("replaceRecentBlockhash"), options.truth("sigVerify")
    if replaced and verified:
        raise RpcFault(INVALID_PARAMS, "sigVerify may not be used with replaceRecentBlockhash")
    if verified and not is_signed(transaction):
        raise RpcFault(SIGNATURE_FAILURE, "Transaction signature verification failure")
    if replaced:
        transaction = chain.with_latest_blockhash(transaction)
    written = _trial_json(chain, chain.simulate(transaction, check_repetition=verified), options)
    if replaced:
        last = height(chain.slots.slot) + LIFETIME
        written["replacementBlockhash"] = {"blockhash": str(chain.blockhash()), "lastValidBlockHeight": last}
    return with_context(chain, options, written)


def _trial_json(chain: SvmChain, trial: Trial, options: Options) -> dict[str, object]:
    """Write a simulated run, in the form that both methods share."""
    outcome, before, after = trial.outcome, trial.before, trial.after
    return {
        "err": trial.error,
        "logs": [] if outcome is None else outcome.metadata.logs(),
        "accounts": _left_json(chain, trial, options),
        "unitsConsumed": 0 if outcome is None else outcome.metadata.compute_units_consumed(),
        "loadedAccountsDataSize": None,
        "returnData": outcome and outcome.returned,
        "innerInstructions": _inner_json(trial) if options.truth("innerInstructions") else None,
        "replacementBlockhash": None,
        "fee": outcome and outcome.metadata.fee(),
        "preBalances": before and before.lamports,
        "postBalances": after and after.lamports,
        "preTokenBalances": before and before.tokens,
        "postTokenBalances": after and after.tokens,
        "loadedAddresses": trial.named and loaded_json(trial.named),
    }


def _inner_json(trial: Trial) -> list[object] | None:
    """Write inner instructions as nodes do here, by addresses; the form for programs without a parser."""
    if trial.outcome is None or trial.named is None:
        return None
    keys = [str(key) for key in trial.named.all]
    return [
        {
            "index": place,
            "instructions": [
                {
                    "programId": keys[each.instruction().program_id_index],
                    "accounts": [keys[index] for index in each.instruction().accounts],
                    "data": base58.encode(bytes(each.instruction().data)),
                    "stackHeight": each.stack_height(),
                }
                for each in group
            ],
        }
        for place, group in enumerate(trial.outcome.metadata.inner_instructions())
        if group
    ]


def _left_json(chain: SvmChain, trial: Trial, options: Options) -> list[object] | None:
    """Write the requested accounts after the run; none if it failed, as nodes do."""
    if options.values.get("accounts") is None:
        return None
    asked = options.inner("accounts")
    keys = [read_key(each) for each in asked.items("addresses")]
    if len(keys) > _MOST_ACCOUNTS:
        raise RpcFault(INVALID_PARAMS, f"Too many accounts provided; max {_MOST_ACCOUNTS}")
    if asked.text("encoding") in {"base58", "binary"}:
        raise RpcFault(INVALID_PARAMS, "base58 encoding not supported")
    if trial.error is not None:
        return [None] * len(keys)

    def left(key: Pubkey) -> object:
        account = trial.accounts.get(str(key)) or chain.account(key)
        return account_json(account if account and account.lamports else None, asked, chain.account, "base64")

    return [left(key) for key in keys]


def _airdrop(chain: SvmChain, parameters: Parameters) -> object:
    key, lamports = parameters.key(0), read_number(parameters.at(1), "lamports", _MOST_LAMPORTS)
    try:
        given = chain.airdrop(key, lamports)
    except Dropped as dropped:
        raise invalid(f"the faucet cannot give this: {error_words(dropped.error)}") from None
    if given.error is not None:
        raise invalid(f"the faucet cannot give this: {error_words(given.error)}")
    return given.signature


def _fee(chain: SvmChain, parameters: Parameters) -> object:
    """Return a message's base fee, without its priority fee."""
    try:
        message = from_bytes_versioned(read_bytes(parameters.at(0), "base64"))
    except Exception as error:  # The library raises several exceptions without a common base.
        raise invalid(f"failed to deserialize a message: {error}") from None
    fee = _FEE * message.header.num_required_signatures if chain.slots.is_valid(message.recent_blockhash) else None
    return with_context(chain, parameters.options(1), fee)


METHODS: Mapping[str, Method] = MappingProxyType({
    "sendTransaction": _send,
    "simulateTransaction": _simulate,
    "requestAirdrop": _airdrop,
    "getFeeForMessage": _fee,
})  # fmt: skip
