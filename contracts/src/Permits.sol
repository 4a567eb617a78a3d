// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Assets} from "./Assets.sol";
import {ISignatureTransfer} from "./interfaces/IPermits.sol";

/// @title The sender's signature in place of an approval
/// @notice Owner is always `msg.sender`, spender always this contract, the amount exactly the order's.
library Permits {
    /// @notice The token did not accept the signature, and the sender's allowance is less than the amount.
    error PermitRefused(address token);
    /// @notice A signature for a token has 65 bytes.
    error SignatureLengthRefused(uint256 length);
    /// @notice The native asset needs no permit.
    error NativePermitRefused();
    /// @notice Permit2 transferred something else than the amount: the token taxes transfers. It needs an approval.
    error TransferTaxed(uint256 expected, uint256 received);

    ISignatureTransfer private constant PERMIT2 = ISignatureTransfer(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    uint256 private constant SIGNATURE_LENGTH = 65;
    /// @dev What a wallet signs of an order besides tokens, amount and deadline: readable terms, and the hash of all.
    string private constant ORDER_TYPE =
        "Order(bytes32 receiver,uint256 destinationChainId,bytes32 outputToken,uint256 minOutput,bytes32 callHash)";
    string private constant WITNESS_TYPE =
        string.concat("Order witness)", ORDER_TYPE, "TokenPermissions(address token,uint256 amount)");

    /// @dev Sets the sender's allowance for this contract by an EIP-2612 permit. Anybody may submit a signature that he
    /// has seen before the sender's transaction runs, which then must not fail: an allowance that suffices will do.
    /// Nobody else can spend it, because this contract spends its caller's allowance only.
    function allow(address token, uint256 amount, uint256 deadline, bytes calldata signature) internal {
        if (token == address(0)) revert NativePermitRefused();
        if (signature.length != SIGNATURE_LENGTH) revert SignatureLengthRefused(signature.length);
        (bytes32 r, bytes32 s, uint8 v) =
            (bytes32(signature[:32]), bytes32(signature[32:64]), uint8(signature[SIGNATURE_LENGTH - 1]));
        bytes memory data = abi.encodeCall(IERC20Permit.permit, (msg.sender, address(this), amount, deadline, v, r, s));
        if (Assets.tryCall(token, data)) return;
        if (IERC20(token).allowance(msg.sender, address(this)) < amount) revert PermitRefused(token);
    }

    /// @dev Takes exactly the amount from the sender into this contract by a Permit2 signature over the order.
    /// @param nonce The order's id, so that a signature is good for one order, once.
    /// @param witness What `witnessOf` makes of the order.
    function take(
        address token,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        bytes32 witness,
        bytes calldata signature
    ) internal {
        if (token == address(0)) revert NativePermitRefused();
        uint256 before = Assets.balanceOf(token, address(this));
        PERMIT2.permitWitnessTransferFrom(
            ISignatureTransfer.PermitTransferFrom(ISignatureTransfer.TokenPermissions(token, amount), nonce, deadline),
            ISignatureTransfer.SignatureTransferDetails(address(this), amount),
            msg.sender,
            witness,
            WITNESS_TYPE,
            signature
        );
        uint256 afterwards = Assets.balanceOf(token, address(this));
        uint256 received = afterwards > before ? afterwards - before : 0;
        if (received != amount) revert TransferTaxed(amount, received);
    }

    /// @dev The EIP-712 hash of an order's terms.
    /// @param callHash The hash of the ABI-encoded order, fees and operations.
    function witnessOf(
        bytes32 receiver,
        uint256 destinationChainId,
        bytes32 outputToken,
        uint256 minOutput,
        bytes32 callHash
    ) internal pure returns (bytes32) {
        bytes32 typeHash = keccak256(bytes(ORDER_TYPE));
        return keccak256(abi.encode(typeHash, receiver, destinationChainId, outputToken, minOutput, callHash));
    }
}
