// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {Settle} from "./Settle.sol";

/// @title What Relay's depository does with deposits. Withdrawals need the allocator's signature and are left out.
/// @notice Functions and events are those of the verified source (relay-depository, ethereum-vm). A depositor of 0x0 is
/// the caller; the form without an amount takes the whole allowance.
contract RelayDepository {
    using SafeERC20 for IERC20;

    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);

    function depositNative(address depositor, bytes32 id) external payable {
        address from = depositor == address(0) ? msg.sender : depositor;
        emit RelayNativeDeposit(from, msg.value, id);
        emit Settle.Deposited(id, from, address(0), msg.value, "");
    }

    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) public {
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        address from = depositor == address(0) ? msg.sender : depositor;
        emit RelayErc20Deposit(from, token, amount, id);
        emit Settle.Deposited(id, from, token, amount, "");
    }

    function depositErc20(address depositor, address token, bytes32 id) external {
        depositErc20(depositor, token, IERC20(token).allowance(msg.sender, address(this)), id);
    }
}
