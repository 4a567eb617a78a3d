// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

struct PermitParams {
    uint256 value;
    uint256 deadline;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// @title What Mayan's Forwarder does for whoever calls it. The guardian's functions are left out.
/// @notice Functions, events and refusals are those of the published source (swap-bridge, MayanForwarder.sol). The two
/// lists lie in storage: swap protocols in slot 0, protocols of Mayan in slot 1.
contract MayanForwarder {
    using SafeERC20 for IERC20;

    mapping(address => bool) public swapProtocols;
    mapping(address => bool) public mayanProtocols;

    event ForwardedEth(address mayanProtocol, bytes protocolData);
    event ForwardedERC20(address token, uint256 amount, address mayanProtocol, bytes protocolData);
    event SwapAndForwardedEth(
        uint256 amountIn,
        address swapProtocol,
        address middleToken,
        uint256 middleAmount,
        address mayanProtocol,
        bytes mayanData
    );
    event SwapAndForwardedERC20(
        address tokenIn,
        uint256 amountIn,
        address swapProtocol,
        address middleToken,
        uint256 middleAmount,
        address mayanProtocol,
        bytes mayanData
    );

    error UnsupportedProtocol();

    receive() external payable {}

    function forwardEth(address mayanProtocol, bytes calldata protocolData) external payable {
        if (!mayanProtocols[mayanProtocol]) revert UnsupportedProtocol();
        _call(mayanProtocol, msg.value, protocolData);
        emit ForwardedEth(mayanProtocol, protocolData);
    }

    function forwardERC20(
        address tokenIn,
        uint256 amountIn,
        PermitParams calldata permitParams,
        address mayanProtocol,
        bytes calldata protocolData
    ) external payable {
        if (!mayanProtocols[mayanProtocol]) revert UnsupportedProtocol();
        _pull(tokenIn, amountIn, permitParams);
        _approve(tokenIn, mayanProtocol, amountIn);
        _call(mayanProtocol, msg.value, protocolData);
        emit ForwardedERC20(tokenIn, amountIn, mayanProtocol, protocolData);
    }

    function swapAndForwardEth(
        uint256 amountIn,
        address swapProtocol,
        bytes calldata swapData,
        address middleToken,
        uint256 minMiddleAmount,
        address mayanProtocol,
        bytes calldata mayanData
    ) external payable {
        if (!swapProtocols[swapProtocol] || !mayanProtocols[mayanProtocol]) revert UnsupportedProtocol();
        require(middleToken != address(0), "middleToken cannot be zero address");
        require(msg.value >= amountIn, "insufficient amountIn");
        uint256 before = IERC20(middleToken).balanceOf(address(this));
        _call(swapProtocol, amountIn, swapData);
        uint256 middle = IERC20(middleToken).balanceOf(address(this)) - before;
        require(middle >= minMiddleAmount, "insufficient middle token");
        _approve(middleToken, mayanProtocol, middle);
        _call(mayanProtocol, msg.value - amountIn, _withAmount(mayanData, middle));
        emit SwapAndForwardedEth(amountIn, swapProtocol, middleToken, middle, mayanProtocol, mayanData);
    }

    function swapAndForwardERC20(
        address tokenIn,
        uint256 amountIn,
        PermitParams calldata permitParams,
        address swapProtocol,
        bytes calldata swapData,
        address middleToken,
        uint256 minMiddleAmount,
        address mayanProtocol,
        bytes calldata mayanData
    ) external payable {
        if (!swapProtocols[swapProtocol] || !mayanProtocols[mayanProtocol]) revert UnsupportedProtocol();
        require(tokenIn != middleToken, "tokenIn and tokenOut must be different");
        require(middleToken != address(0), "not on the sandbox");
        uint256 held = IERC20(tokenIn).balanceOf(address(this));
        _pull(tokenIn, amountIn, permitParams);
        uint256 before = IERC20(middleToken).balanceOf(address(this));
        _approve(tokenIn, swapProtocol, amountIn);
        _call(swapProtocol, 0, swapData);
        uint256 middle = IERC20(middleToken).balanceOf(address(this)) - before;
        require(middle >= minMiddleAmount, "insufficient middle token");
        _approve(middleToken, mayanProtocol, middle);
        _call(mayanProtocol, msg.value, _withAmount(mayanData, middle));
        uint256 left = IERC20(tokenIn).balanceOf(address(this));
        if (left > held) IERC20(tokenIn).safeTransfer(msg.sender, left - held);
        emit SwapAndForwardedERC20(tokenIn, amountIn, swapProtocol, middleToken, middle, mayanProtocol, mayanData);
    }

    /// @dev The second word of the protocol's call is its amount, whatever the function.
    function _withAmount(bytes calldata data, uint256 amount) private pure returns (bytes memory) {
        require(data.length >= 68, "Mayan data too short");
        return bytes.concat(data[:36], abi.encode(amount), data[68:]);
    }

    function _approve(address token, address spender, uint256 amount) private {
        if (IERC20(token).allowance(address(this), spender) < amount) {
            IERC20(token).forceApprove(spender, type(uint256).max);
        }
    }

    function _pull(address token, uint256 amount, PermitParams calldata permit) private {
        if (IERC20(token).allowance(msg.sender, address(this)) < amount) {
            IERC20Permit(token).permit(
                msg.sender, address(this), permit.value, permit.deadline, permit.v, permit.r, permit.s
            );
        }
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
    }

    /// @dev The published one says "call failed" and no more; here the reason comes through.
    function _call(address target, uint256 value, bytes memory data) private {
        (bool done, bytes memory answer) = target.call{value: value}(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
