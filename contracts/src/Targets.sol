// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Assets} from "./Assets.sol";
import {IExecutor} from "./interfaces/IExecutor.sol";
import {Nobody} from "./Nobody.sol";

/// @dev Permit2's allowance (https://github.com/Uniswap/permit2, IAllowanceTransfer): three words.
interface IAllowanceTransfer {
    function allowance(address owner, address token, address spender)
        external
        view
        returns (uint160 amount, uint48 expiration, uint48 nonce);
}

/// @dev The views by which contracts tell whom an account lets act in its name: owner first, the other second, but for
/// ERC-777. Each belongs to a function by which the caller gives that right. Compound III's `hasPermission` is not among
/// them because whatever has it answers `allowance` too (compound-finance/comet, CometExt.sol). Sources read 2026-11.
interface IRights {
    /// @dev ERC-721 and ERC-1155, `setApprovalForAll` (https://eips.ethereum.org/EIPS/eip-721, …/eip-1155).
    function isApprovedForAll(address owner, address operator) external view returns (bool);
    /// @dev ERC-6909, `setOperator` (https://eips.ethereum.org/EIPS/eip-6909); Uniswap v4's PoolManager has it.
    function isOperator(address owner, address spender) external view returns (bool);
    /// @dev ERC-777, `authorizeOperator` (https://eips.ethereum.org/EIPS/eip-777).
    function isOperatorFor(address operator, address holder) external view returns (bool);
    /// @dev Aave's debt tokens, `approveDelegation` (aave/aave-v3-core, ICreditDelegationToken.sol); their `allowance`
    /// reverts.
    function borrowAllowance(address fromUser, address toUser) external view returns (uint256);
    /// @dev Morpho Blue, `setAuthorization` (morpho-org/morpho-blue, IMorpho.sol).
    function isAuthorized(address authorizer, address authorized) external view returns (bool);
    /// @dev Balancer's Vault, `setRelayerApproval` (balancer/balancer-v2-monorepo, IVault.sol).
    function hasApprovedRelayer(address user, address relayer) external view returns (bool);
    /// @dev Maker's Vat, `hope` (makerdao/dss, vat.sol).
    function can(address owner, address operator) external view returns (uint256);
}

/// @title Whom the Executor may call, approve and pay
/// @notice Operations come from strangers. What they could plant in the Executor's name, to use against those who come
/// after them, is a standing right: an allowance of a token, an allowance inside a Permit2 or a fork of it, an
/// operator, a delegated debt, a transfer hook. The rules here refuse the contracts that tell of such rights by one of
/// the usual views. A contract that keeps rights and tells of them otherwise, or not at all, is not recognised: see
/// docs/contracts.md for what that costs.
library Targets {
    /// @dev Same address on every chain.
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    /// @dev The registry of EIP-1820: its caller can hang a hook on every ERC-777 transfer that he makes or receives.
    address private constant ERC1820_REGISTRY = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;
    /// @dev For contracts that burn all gas when asked something unknown; no token's view needs as much.
    uint256 private constant PROBE_GAS = 100_000;
    /// @dev The same for the other views, each of which reads one word of storage.
    uint256 private constant RIGHTS_GAS = 40_000;

    /// @dev Reverts unless the Executor may call `target` with any data. Whatever answers `allowance` is a token. A
    /// contract that answers whatever it is asked with a word is refused as well: nothing it says can be relied upon.
    /// One whose fallback returns nothing, or changes its state, has no such view.
    function checkTarget(address target) internal view {
        if (_isReserved(target) || target == ERC1820_REGISTRY || _isPermit2(target)) {
            revert IExecutor.TargetRefused(target);
        }
        if (_answers(target, PROBE_GAS, IERC20.allowance.selector) || _keepsRights(target)) {
            revert IExecutor.TargetRefused(target);
        }
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
        return uint160(account) <= Nobody.LAST_RESERVED || account == address(this) || account == msg.sender
            || account.code.length == 0;
    }

    function _keepsRights(address account) private view returns (bool) {
        return _answers(account, RIGHTS_GAS, IRights.isApprovedForAll.selector)
            || _answers(account, RIGHTS_GAS, IRights.isOperator.selector)
            || _answers(account, RIGHTS_GAS, IRights.isOperatorFor.selector)
            || _answers(account, RIGHTS_GAS, IRights.borrowAllowance.selector)
            || _answers(account, RIGHTS_GAS, IRights.isAuthorized.selector)
            || _answers(account, RIGHTS_GAS, IRights.hasApprovedRelayer.selector)
            || _answers(account, RIGHTS_GAS, IRights.can.selector);
    }

    /// @dev Whether a view of two addresses exists there.
    function _answers(address account, uint256 gasLimit, bytes4 view_) private view returns (bool) {
        bytes memory question = abi.encodeWithSelector(view_, address(this), msg.sender);
        (bool answered, uint256 size,) = Assets.ask(account, gasLimit, question);
        return answered && size >= 32;
    }

    function _isPermit2(address account) private view returns (bool) {
        if (account == PERMIT2) return true;
        bytes memory question = abi.encodeCall(IAllowanceTransfer.allowance, (address(this), account, msg.sender));
        (bool answered, uint256 size,) = Assets.ask(account, PROBE_GAS, question);
        return answered && size >= 96;
    }
}
