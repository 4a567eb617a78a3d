// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev As an operation's amount: the Executor's whole balance at that moment.
uint256 constant ALL = type(uint256).max;

/// @dev Stands for the chain's native asset wherever a token is named.
address constant NATIVE = address(0);

enum Kind {
    Call,
    Wrap,
    Unwrap,
    Pay,
    Pools
}

/// @notice Whose signature scheme replaces the approval: the token's own (EIP-2612), or Permit2's.
enum PermitKind {
    Token,
    Permit2
}

/// @notice What a hop of a plan trades with, and its place: what stands in the plan after kind, share and tokens.
/// @dev Pair: pool (20), what the pool keeps none of, in 1/10,000 (2): 9970 for a fee of 0.3 %. StablePair: pool (20),
/// which is asked what it pays. Concentrated: pool (20). V4: manager (20), fee (3), tick spacing (3), hooks (20).
/// Exchange, CryptoExchange: pool (20), its indices of both tokens (1, 1). The others: nothing; the wrapped token or the
/// vault is the token that is bought, or sold.
enum HopKind {
    Pair,
    StablePair,
    Concentrated,
    V4,
    Exchange,
    Wrap,
    Unwrap,
    Deposit,
    Redeem,
    WrapStaked,
    UnwrapStaked,
    CryptoExchange
}

/// @notice One thing the Executor does.
/// @param kind Call: approve, call, reset the allowance. Wrap, Unwrap: turn native into `target`'s token and back. Pay:
/// send. Pools: trade with pools directly, by the plan in `data`.
/// @param target The contract that is called, the wrapped native token, or who is paid.
/// @param spender Who is approved for `amount` of `token` during a Call; it may differ from `target`.
/// @param token The token that is approved (0: no approval), paid or traded (0: native). Not read by Wrap and Unwrap.
/// @param amount Raw units, or ALL. Not read by a Call without a token.
/// @param value Native raw units that travel with a Call. Not read by the others.
/// @param data The calldata of a Call, the plan of Pools. Not read by the others.
struct Operation {
    Kind kind;
    address target;
    address spender;
    address token;
    uint256 amount;
    uint256 value;
    bytes data;
}

/// @notice A fee in raw units of the input token, taken from the gross amount.
/// @param kind "service" or "integrator", ASCII, left aligned.
struct Fee {
    address recipient;
    bytes32 kind;
    uint256 amount;
}

/// @notice What a wallet asks of `swap`.
/// @param inputAmount Gross, before the fees.
/// @param minOutput The least that the receiver must gain, in raw units of `outputToken`.
/// @param deadline The last second (block time) at which the order may run.
/// @param nativeFee Native raw units that upstreams ask for besides the input.
/// @param sweep Intermediate tokens, of which leftovers go back to the wallet.
struct Order {
    bytes32 id;
    bytes32 integrator;
    bytes32 adapter;
    address receiver;
    address inputToken;
    uint256 inputAmount;
    address outputToken;
    uint256 minOutput;
    uint256 deadline;
    uint256 nativeFee;
    address[] sweep;
}

/// @notice What a wallet asks of `bridge`. The last operation hands the tokens to the bridge, those before it swap.
/// @param receiver On the destination; an EVM address is right aligned.
/// @param sentToken What the bridge takes on this chain; equal to `inputToken` when nothing is swapped before.
/// @param sentAmount The least that the last operation must take from the Executor, in raw units of `sentToken`.
/// @param outputToken On the destination; 0 is the native asset of an EVM chain.
/// @param refundTo Who gets the tokens back on this chain if the bridge fails; never one of our contracts.
/// @param bridgeRef What the bridge calls this transfer: its id, deposit address or order hash; 0 if unknown
/// beforehand.
struct BridgeOrder {
    bytes32 id;
    bytes32 integrator;
    bytes32 adapter;
    bytes32 receiver;
    uint256 destinationChainId;
    address inputToken;
    uint256 inputAmount;
    address sentToken;
    uint256 sentAmount;
    bytes32 outputToken;
    uint256 expectedOutput;
    uint256 minOutput;
    address refundTo;
    bool hasDestCall;
    bytes32 bridgeRef;
    uint256 deadline;
    uint256 nativeFee;
    address[] sweep;
}

/// @param orderedAmount The order's input amount. `inputAmount` is less where a fee was skipped.
/// @param inputAmount Gross, as taken from the sender: fees that were paid, and what went to the Executor.
/// @param netAmount What the Executor measured as received; less than was handed over where a token taxes transfers.
/// @param outputAmount The receiver's measured gain.
struct SwapRecord {
    address receiver;
    address inputToken;
    uint256 orderedAmount;
    uint256 inputAmount;
    uint256 netAmount;
    address outputToken;
    uint256 outputAmount;
    uint256 minOutput;
    uint256 deadline;
    bytes32 adapter;
}

/// @param orderedAmount The order's input amount.
/// @param inputAmount Gross, as taken from the sender.
/// @param sentAmount What the bridge took; measured, but for native, where it is the order's amount after a check.
/// @param swapped Whether a call or a plan of pools came before the bridge. Wrapping is no swap.
struct BridgeRecord {
    bytes32 adapter;
    bytes32 receiver;
    uint256 destinationChainId;
    address inputToken;
    uint256 orderedAmount;
    uint256 inputAmount;
    address sentToken;
    uint256 sentAmount;
    bytes32 outputToken;
    uint256 expectedOutput;
    uint256 minOutput;
    uint256 deadline;
    address refundTo;
    bool swapped;
    bool hasDestCall;
    bytes32 bridgeRef;
}

/// @notice What the Executor must achieve in a swap; leftovers go to `owner`.
struct SwapTerms {
    address owner;
    address receiver;
    address inputToken;
    address outputToken;
    uint256 minOutput;
}

/// @notice What the Executor must achieve in a bridge transfer; leftovers go to `owner`.
/// @param nativeFee How much native the bridge may take above `sentAmount` when native is what is sent.
struct BridgeTerms {
    address owner;
    address inputToken;
    address sentToken;
    uint256 sentAmount;
    uint256 nativeFee;
}
