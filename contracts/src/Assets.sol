// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {NATIVE} from "./Types.sol";

/// @title Balances and payments of tokens and of the native asset alike
library Assets {
    using SafeERC20 for IERC20;

    /// @notice The address does not answer `balanceOf` like a token.
    error NotAToken(address token);
    /// @notice The recipient did not accept the native asset.
    error NativeRefused(address recipient);

    /// @dev What an ERC-20 fee may cost: a recipient's hook must not burn the wallet's gas. If the wallet's own gas
    /// limit is what stops the transfer, the 64th part that remains cannot finish the order, so the limit is no way to
    /// skip it.
    uint256 private constant TOKEN_FEE_GAS = 300_000;
    /// @dev Enough for a multisignature wallet's receive function.
    uint256 private constant NATIVE_FEE_GAS = 50_000;

    /// @dev Raw units of `token` (0: native) that `account` has.
    function balanceOf(address token, address account) internal view returns (uint256) {
        if (token == NATIVE) return account.balance;
        (bool answered, uint256 size, uint256 balance) =
            ask(token, gasleft(), abi.encodeCall(IERC20.balanceOf, (account)));
        if (!answered || size < 32) revert NotAToken(token);
        return balance;
    }

    /// @dev Pays, or reverts. No amount, no transfer: some tokens refuse 0.
    function pay(address token, address to, uint256 amount) internal {
        if (amount == 0) return;
        if (token != NATIVE) return IERC20(token).safeTransfer(to, amount);
        if (!tryPayNative(to, amount)) revert NativeRefused(to);
    }

    /// @dev Pays native with all gas and says whether it was accepted; what the recipient returns is not copied.
    function tryPayNative(address to, uint256 amount) internal returns (bool paid) {
        (paid,,) = _call(to, amount, gasleft(), "");
    }

    /// @dev Pays and answers by how much the recipient's balance grew.
    function deliver(address token, address to, uint256 amount) internal returns (uint256) {
        uint256 before = balanceOf(token, to);
        pay(token, to, amount);
        uint256 afterwards = balanceOf(token, to);
        return afterwards > before ? afterwards - before : 0;
    }

    /// @dev Calls without value and says whether that succeeded; what the target returns is not copied. An address without
    /// code succeeds.
    function tryCall(address target, bytes memory data) internal returns (bool success) {
        (success,,) = _call(target, 0, gasleft(), data);
    }

    /// @dev Tries to pay a fee: native from this contract, a token from `payer`, which may be this contract. Never
    /// reverts, limits gas and copies nothing.
    function tryFee(address token, address payer, address to, uint256 amount) internal returns (bool) {
        if (token == NATIVE) {
            (bool accepted,,) = _call(to, amount, NATIVE_FEE_GAS, "");
            return accepted;
        }
        bytes memory data = payer == address(this)
            ? abi.encodeCall(IERC20.transfer, (to, amount))
            : abi.encodeCall(IERC20.transferFrom, (payer, to, amount));
        (bool success, uint256 size, uint256 word) = _call(token, 0, TOKEN_FEE_GAS, data);
        return success && (size == 0 || (size >= 32 && word == 1));
    }

    /// @dev A static call: whether it succeeded, how much it returned and the first word of it.
    function ask(address target, uint256 gasLimit, bytes memory data)
        internal
        view
        returns (bool success, uint256 size, uint256 word)
    {
        assembly ("memory-safe") {
            success := staticcall(gasLimit, target, add(data, 0x20), mload(data), 0, 0x20)
            size := returndatasize()
            if gt(size, 0x1f) { word := mload(0) }
        }
    }

    function _call(address target, uint256 value, uint256 gasLimit, bytes memory data)
        private
        returns (bool success, uint256 size, uint256 word)
    {
        assembly ("memory-safe") {
            success := call(gasLimit, target, value, add(data, 0x20), mload(data), 0, 0x20)
            size := returndatasize()
            if gt(size, 0x1f) { word := mload(0) }
        }
    }
}
