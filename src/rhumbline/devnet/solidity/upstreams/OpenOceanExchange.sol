// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

interface IOpenOceanCaller {
    struct CallDescription {
        uint256 target;
        uint256 gasLimit;
        uint256 value;
        bytes data;
    }

    function makeCalls(CallDescription[] calldata calls) external payable;
}

/// @title What OpenOceanExchange does with a call of `swap`.
/// @notice Signature, flags, order of the checks and their words are those of the published source.
contract OpenOceanExchange {
    using SafeERC20 for IERC20;

    address private constant ETH = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    uint256 private constant PARTIAL_FILL = 0x01;
    uint256 private constant SHOULD_CLAIM = 0x02;

    struct SwapDescription {
        address srcToken;
        address dstToken;
        address srcReceiver;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 guaranteedAmount;
        uint256 flags;
        address referrer;
        bytes permit;
    }

    event Swapped(
        address indexed sender,
        address indexed srcToken,
        address indexed dstToken,
        address dstReceiver,
        uint256 amount,
        uint256 spentAmount,
        uint256 returnAmount,
        uint256 minReturnAmount,
        uint256 guaranteedAmount,
        address referrer
    );

    function swap(
        IOpenOceanCaller caller,
        SwapDescription calldata desc,
        IOpenOceanCaller.CallDescription[] calldata calls
    ) external payable returns (uint256 returnAmount) {
        require(desc.minReturnAmount > 0, "Min return should not be 0");
        require(calls.length > 0, "Call data should exist");
        require(desc.flags & PARTIAL_FILL == 0, "not in the sandbox");
        require(msg.value == (desc.srcToken == ETH ? desc.amount : 0), "Invalid msg.value");
        if (desc.flags & SHOULD_CLAIM != 0) {
            require(desc.srcToken != ETH, "Claim token is ETH");
            IERC20(desc.srcToken).safeTransferFrom(msg.sender, desc.srcReceiver, desc.amount);
        }
        address dstReceiver = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
        uint256 before = _balance(desc.dstToken, dstReceiver);
        caller.makeCalls{value: msg.value}(calls);
        returnAmount = _balance(desc.dstToken, dstReceiver) - before;
        require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        _tell(desc, dstReceiver, returnAmount);
    }

    function _tell(SwapDescription calldata desc, address dstReceiver, uint256 returnAmount) private {
        emit Swapped(
            msg.sender,
            desc.srcToken,
            desc.dstToken,
            dstReceiver,
            desc.amount,
            desc.amount,
            returnAmount,
            desc.minReturnAmount,
            desc.guaranteedAmount,
            desc.referrer
        );
    }

    function _balance(address token, address owner) private view returns (uint256) {
        return token == ETH ? owner.balance : IERC20(token).balanceOf(owner);
    }
}
