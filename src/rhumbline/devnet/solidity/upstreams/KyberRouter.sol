// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title What MetaAggregationRouterV2 of KyberSwap does with a call of `swap`, as far as nobody takes a fee.
/// @notice Signature, flags, order of the checks and their words are those of the verified source.
contract KyberRouter {
    using SafeERC20 for IERC20;

    address private constant ETH = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    uint256 private constant PARTIAL_FILL = 0x01;
    uint256 private constant REQUIRES_EXTRA_ETH = 0x02;
    uint256 private constant SIMPLE_SWAP = 0x20;

    struct SwapDescriptionV2 {
        address srcToken;
        address dstToken;
        address[] srcReceivers;
        uint256[] srcAmounts;
        address[] feeReceivers;
        uint256[] feeAmounts;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
        bytes permit;
    }

    struct SwapExecutionParams {
        address callTarget;
        address approveTarget;
        bytes targetData;
        SwapDescriptionV2 desc;
        bytes clientData;
    }

    event Swapped(
        address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount
    );

    function swap(SwapExecutionParams calldata execution)
        external
        payable
        returns (uint256 returnAmount, uint256 gasUsed)
    {
        uint256 gasBefore = gasleft();
        SwapDescriptionV2 calldata desc = execution.desc;
        require(desc.minReturnAmount > 0, "Min return should not be 0");
        require(execution.targetData.length > 0, "executorData should be not zero");
        require(desc.flags & (PARTIAL_FILL | REQUIRES_EXTRA_ETH | SIMPLE_SWAP) == 0, "not in the sandbox");
        require(desc.feeReceivers.length == 0 && desc.permit.length == 0, "not in the sandbox");
        bool fromETH = desc.srcToken == ETH;
        require(msg.value == (fromETH ? desc.amount : 0), "Invalid msg.value");
        address dstReceiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
        if (!fromETH) _pull(desc);
        uint256 before = _balance(desc.dstToken, dstReceiver);
        (bool success,) =
            execution.callTarget.call{value: msg.value}(abi.encodeWithSignature("callBytes(bytes)", execution.targetData));
        require(success, "Call failed");
        returnAmount = _balance(desc.dstToken, dstReceiver) - before;
        require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        emit Swapped(msg.sender, desc.srcToken, desc.dstToken, dstReceiver, desc.amount, returnAmount);
        gasUsed = gasBefore - gasleft();
    }

    function _pull(SwapDescriptionV2 calldata desc) private {
        require(desc.srcReceivers.length == desc.srcAmounts.length, "invalid srcReceivers length");
        uint256 total;
        for (uint256 i; i < desc.srcReceivers.length; ++i) {
            total += desc.srcAmounts[i];
            IERC20(desc.srcToken).safeTransferFrom(msg.sender, desc.srcReceivers[i], desc.srcAmounts[i]);
        }
        require(total <= desc.amount, "Exceeded desc.amount");
    }

    function _balance(address token, address owner) private view returns (uint256) {
        return token == ETH ? owner.balance : IERC20(token).balanceOf(owner);
    }
}
