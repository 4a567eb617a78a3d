// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Assets} from "./Assets.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";

/// @dev Permit2's allowance (https://github.com/Uniswap/permit2, IAllowanceTransfer): three words.
interface IAllowanceTransfer {
    function allowance(address owner, address token, address spender)
        external
        view
        returns (uint160 amount, uint48 expiration, uint48 nonce);
}

/// @title Whom the Executor may call, approve and pay
/// @notice Operations come from strangers. What they could plant in the Executor's name, to use against those who come
/// after them, is a standing right: an allowance of a token, an allowance inside a Permit2 or a fork of it, an
/// operator, a transfer hook. The rules here refuse every contract that keeps such rights for its caller.
library Targets {
    /// @dev Same address on every chain.
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    /// @dev The registry of EIP-1820: its caller can hang a hook on every ERC-777 transfer that he makes or receives.
    address private constant ERC1820_REGISTRY = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;
    /// @dev Up to here are precompiles and system contracts, of which some act in their caller's name (batching, native
    /// tokens of a chain).
    uint160 private constant LAST_RESERVED = 0xffff;
    /// @dev For contracts that burn all gas when asked something unknown; no token's view needs as much.
    uint256 private constant PROBE_GAS = 200_000;

    /// @dev Reverts unless the Executor may call `target` with any data. Whatever answers `allowance` is a token.
    function checkTarget(address target) internal view {
        if (_isReserved(target) || target == ERC1820_REGISTRY || _isPermit2(target)) {
            revert IExecutor.TargetRefused(target);
        }
        bytes memory question = abi.encodeCall(IERC20.allowance, (address(this), msg.sender));
        (bool answered, uint256 size,) = Assets.ask(target, PROBE_GAS, question);
        if (answered && size >= 32) revert IExecutor.TargetRefused(target);
    }

    /// @dev Reverts unless `target` may be used as wrapped native token: only `deposit` and `withdraw` are ever sent to
    /// it.
    function checkWrapped(address target) internal view {
        if (_isReserved(target)) revert IExecutor.TargetRefused(target);
    }

    /// @dev Reverts unless `spender` may be approved for `token` while a call lasts.
    function checkSpender(address spender, address token) internal view {
        if (spender == token || _isReserved(spender) || _isPermit2(spender)) revert IExecutor.SpenderRefused(spender);
    }

    /// @dev Reverts for recipients from whom nobody would get the payment back.
    function checkPayee(address payee, address token) internal view {
        if (payee == address(0) || payee == token || payee == address(this) || payee == msg.sender) {
            revert IExecutor.TargetRefused(payee);
        }
    }

    /// @dev Without code, reserved, or one of ours: the caller is the Diamond.
    function _isReserved(address account) private view returns (bool) {
        return uint160(account) <= LAST_RESERVED || account == address(this) || account == msg.sender
            || account.code.length == 0;
    }

    function _isPermit2(address account) private view returns (bool) {
        if (account == PERMIT2) return true;
        bytes memory question = abi.encodeCall(IAllowanceTransfer.allowance, (address(this), account, msg.sender));
        (bool answered, uint256 size,) = Assets.ask(account, PROBE_GAS, question);
        return answered && size >= 96;
    }
}
