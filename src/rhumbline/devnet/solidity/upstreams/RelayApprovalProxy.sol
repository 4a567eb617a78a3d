// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

struct Call3Value {
    address target;
    bool allowFailure;
    uint256 value;
    bytes callData;
}

struct Result {
    bool success;
    bytes returnData;
}

interface IRelayRouter {
    function multicall(Call3Value[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
        returns (Result[] memory);
}

/// @title What Relay's approval proxy v3 does for who has approved it. The forms with permits are left out.
/// @notice Function, event and errors are those of the verified source (relay-periphery).
contract RelayApprovalProxy {
    using SafeERC20 for IERC20;

    address private constant ROUTER = 0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f;

    error ArrayLengthsMismatch();
    error RefundToCannotBeZeroAddress();

    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Call3Value[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Result[] memory) {
        if (tokens.length != amounts.length) revert ArrayLengthsMismatch();
        if (refundTo == address(0)) revert RefundToCannotBeZeroAddress();
        for (uint256 i; i < tokens.length; ++i) {
            IERC20(tokens[i]).safeTransferFrom(msg.sender, ROUTER, amounts[i]);
            emit FundsMovement(msg.sender, ROUTER, tokens[i], amounts[i], metadata);
        }
        return IRelayRouter(ROUTER).multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }
}
