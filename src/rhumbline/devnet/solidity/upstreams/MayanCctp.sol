// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Settle} from "./Settle.sol";

struct OrderParams {
    address tokenIn;
    uint256 amountIn;
    uint64 gasDrop;
    bytes32 destAddr;
    uint16 destChain;
    bytes32 tokenOut;
    uint64 minAmountOut;
    uint64 deadline;
    uint64 redeemFee;
    bytes32 referrerAddr;
    uint8 referrerBps;
}

struct OrderPayload {
    uint8 payloadType;
    bytes32 destAddr;
    bytes32 tokenOut;
    uint64 amountOutMin;
    uint64 gasDrop;
    uint64 redeemFee;
    uint64 refundFee;
    uint64 deadline;
    bytes32 referrerAddr;
    uint8 referrerBps;
}

/// @dev What the solver reads. `orders` tells an order, whose output is `tokenOut`, from a bridge, whose is USDC.
struct Terms {
    bytes32 destAddr;
    uint256 destination;
    bool orders;
    bytes32 tokenOut;
    uint64 minimum;
    uint256 fees;
    uint256 refundFee;
}

/// @title What Mayan's MCTP contract does with what it is to carry; Circle's part and Wormhole's are left out.
/// @notice Functions and refusals are those of the published source (swap-bridge, MayanCircle.sol). In storage: the only
/// token that is carried in slot 0, the price of a message of Wormhole in slot 1.
contract MayanCircle {
    address private _usdc;
    uint256 private _messageFee;
    uint256 private _nonce;

    error InvalidDomain();
    error InvalidRedeemFee();
    error InvalidGasDrop();

    function bridgeWithFee(
        address tokenIn,
        uint256 amountIn,
        uint64 redeemFee,
        uint64 gasDrop,
        bytes32 destAddr,
        uint32 destDomain,
        uint8 payloadType,
        bytes memory customPayload
    ) external payable {
        if (redeemFee >= amountIn) revert InvalidRedeemFee();
        require(payloadType == 1 && customPayload.length == 0 && gasDrop == 0, "not on the sandbox");
        _carry(tokenIn, amountIn, _messageFee, Terms(destAddr, destDomain, false, 0, 0, redeemFee, 0));
    }

    function bridgeWithLockedFee(
        address tokenIn,
        uint256 amountIn,
        uint64 gasDrop,
        uint256 redeemFee,
        uint32 destDomain,
        bytes32 destAddr
    ) external {
        if (bytes12(destAddr) != 0) revert InvalidDomain();
        if (redeemFee == 0) revert InvalidRedeemFee();
        require(gasDrop == 0, "not on the sandbox");
        _carry(tokenIn, amountIn, 0, Terms(destAddr, destDomain, false, 0, 0, redeemFee, 0));
    }

    function createOrder(OrderParams memory params) external payable {
        if (params.redeemFee >= params.amountIn) revert InvalidRedeemFee();
        if (params.tokenOut == bytes32(0) && params.gasDrop > 0) revert InvalidGasDrop();
        _carry(
            params.tokenIn,
            params.amountIn,
            _messageFee,
            Terms(
                params.destAddr,
                params.destChain,
                true,
                params.tokenOut,
                params.minAmountOut,
                params.redeemFee,
                params.redeemFee
            )
        );
    }

    function _carry(address token, uint256 amount, uint256 fee, Terms memory terms) private {
        require(token == _usdc, "Burn token not supported");
        bytes32 name = keccak256(abi.encode(block.chainid, address(this), ++_nonce));
        emit Settle.Deposited(name, msg.sender, token, Settle.pull(token, amount, fee), abi.encode(terms));
    }
}

/// @title What Mayan's Fast MCTP contract does with what it is to carry; Circle's part is left out.
/// @notice Functions and refusals are those of the published source (swap-bridge, FastMCTP.sol). In storage: the only
/// token that is carried in slot 0.
contract FastMCTP {
    address private _usdc;
    uint256 private _nonce;

    error InvalidRedeemFee();
    error InvalidRefundFee();
    error InvalidPayloadType();
    error InvalidGasDrop();

    function bridge(
        address tokenIn,
        uint256 amountIn,
        uint64 redeemFee,
        uint256 circleMaxFee,
        uint64 gasDrop,
        bytes32 destAddr,
        uint32 destDomain,
        bytes32,
        uint8 referrerBps,
        uint8 payloadType,
        uint32,
        bytes memory customPayload
    ) external {
        if (redeemFee + circleMaxFee >= amountIn) revert InvalidRedeemFee();
        if (payloadType != 1 && payloadType != 2) revert InvalidPayloadType();
        require(referrerBps == 0 && customPayload.length == 0 && gasDrop == 0, "not on the sandbox");
        _carry(tokenIn, amountIn, Terms(destAddr, destDomain, false, 0, 0, redeemFee + circleMaxFee, 0));
    }

    function createOrder(
        address tokenIn,
        uint256 amountIn,
        uint256 circleMaxFee,
        uint32 destDomain,
        uint32,
        OrderPayload memory payload
    ) external {
        if (payload.redeemFee + circleMaxFee >= amountIn) revert InvalidRedeemFee();
        if (payload.refundFee + circleMaxFee >= amountIn) revert InvalidRefundFee();
        if (payload.payloadType != 3) revert InvalidPayloadType();
        if (payload.tokenOut == bytes32(0) && payload.gasDrop > 0) revert InvalidGasDrop();
        _carry(
            tokenIn,
            amountIn,
            Terms(
                payload.destAddr,
                destDomain,
                true,
                payload.tokenOut,
                payload.amountOutMin,
                payload.redeemFee + circleMaxFee,
                payload.refundFee + circleMaxFee
            )
        );
    }

    function _carry(address token, uint256 amount, Terms memory terms) private {
        require(token == _usdc, "Burn token not supported");
        bytes32 name = keccak256(abi.encode(block.chainid, address(this), ++_nonce));
        emit Settle.Deposited(name, msg.sender, token, Settle.pull(token, amount), abi.encode(terms));
    }
}
