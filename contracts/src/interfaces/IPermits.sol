// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice What the Diamond calls of Permit2 (https://github.com/Uniswap/permit2, ISignatureTransfer.sol, read 2026-11).
interface ISignatureTransfer {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    /// @notice Transfers the owner's tokens, once, to whom the caller says; `witness` is signed too.
    function permitWitnessTransferFrom(
        PermitTransferFrom memory permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}
