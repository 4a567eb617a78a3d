"""Methods about accounts and tokens."""

from collections.abc import Mapping
from types import MappingProxyType

from solders.pubkey import Pubkey

from rhumbline.devnet.svm.account_answers import account_json, fits, read_filters
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_methods import Method, with_context
from rhumbline.devnet.svm.faults import INVALID_PARAMS, RpcFault, invalid
from rhumbline.devnet.svm.parameters import Options, Parameters, read_key, read_options
from rhumbline.devnet.svm.programs import TOKEN_PROGRAMS
from rhumbline.devnet.svm.token_layouts import amount_json, read_holding, read_mint

_MOST_ACCOUNTS = 100


def _balance(chain: SvmChain, parameters: Parameters) -> object:
    account = chain.account(parameters.key(0))
    return with_context(chain, parameters.options(1), 0 if account is None else account.lamports)


def _account(chain: SvmChain, parameters: Parameters) -> object:
    options = parameters.options(1)
    return with_context(chain, options, account_json(chain.account(parameters.key(0)), options, chain.account))


def _accounts(chain: SvmChain, parameters: Parameters) -> object:
    options, given = parameters.options(1), parameters.at(0)
    if not isinstance(given, list):
        raise invalid("expected a sequence of addresses")
    if len(given) > _MOST_ACCOUNTS:
        raise RpcFault(INVALID_PARAMS, f"Too many inputs provided; max {_MOST_ACCOUNTS}")
    keys = [read_key(each) for each in given]
    found = [account_json(chain.account(key), options, chain.account, "base64") for key in keys]
    return with_context(chain, options, found)


def _program_accounts(chain: SvmChain, parameters: Parameters) -> object:
    options = parameters.options(1)
    filters = read_filters(options)
    found = [
        {"pubkey": str(key), "account": account_json(account, options, chain.account)}
        for key, account in chain.accounts_of(parameters.key(0))
        if fits(account, filters)
    ]
    return with_context(chain, options, found) if options.truth("withContext") else found


def _holdings(chain: SvmChain, parameters: Parameters) -> object:
    owner, wanted, options = parameters.key(0), read_options(parameters.at(1)), parameters.options(2)
    mint, program = _token_filter(chain, wanted)
    found = []
    for each in TOKEN_PROGRAMS if program is None else (program,):
        for key, account in chain.accounts_of(each):
            holding = read_holding(account)
            if holding is not None and holding.owner == owner and mint in {None, holding.mint}:
                found.append({"pubkey": str(key), "account": account_json(account, options, chain.account)})
    return with_context(chain, options, found)


def _token_filter(chain: SvmChain, wanted: Options) -> tuple[Pubkey | None, Pubkey | None]:
    if "mint" in wanted.values:
        mint = read_key(wanted.values["mint"])
        if read_mint(chain.account(mint)) is None:
            raise RpcFault(INVALID_PARAMS, "Invalid param: could not find mint")
        return mint, None
    program = read_key(wanted.values.get("programId"))
    if program not in TOKEN_PROGRAMS:
        raise RpcFault(INVALID_PARAMS, "Invalid param: unrecognized Token program id")
    return None, program


def _token_balance(chain: SvmChain, parameters: Parameters) -> object:
    account = chain.account(parameters.key(0))
    holding = read_holding(account)
    mint = None if holding is None else read_mint(chain.account(holding.mint))
    if holding is None or mint is None:
        words = "could not find account" if account is None else "not a Token account"
        raise RpcFault(INVALID_PARAMS, f"Invalid param: {words}")
    return with_context(chain, parameters.options(1), amount_json(holding.amount, mint.decimals))


def _supply(chain: SvmChain, parameters: Parameters) -> object:
    account = chain.account(parameters.key(0))
    mint = read_mint(account)
    if mint is None:
        words = "could not find account" if account is None else "not a Token mint"
        raise RpcFault(INVALID_PARAMS, f"Invalid param: {words}")
    return with_context(chain, parameters.options(1), amount_json(mint.supply, mint.decimals))


METHODS: Mapping[str, Method] = MappingProxyType({
    "getBalance": _balance,
    "getAccountInfo": _account,
    "getMultipleAccounts": _accounts,
    "getProgramAccounts": _program_accounts,
    "getTokenAccountsByOwner": _holdings,
    "getTokenAccountBalance": _token_balance,
    "getTokenSupply": _supply,
})  # fmt: skip
