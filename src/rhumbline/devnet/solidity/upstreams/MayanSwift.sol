// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

import {Settle} from "./Settle.sol";

struct OrderParams {
    bytes32 trader;
    bytes32 tokenOut;
    uint64 minAmountOut;
    uint64 gasDrop;
    uint64 cancelFee;
    uint64 refundFee;
    uint64 deadline;
    bytes32 destAddr;
    uint16 destChainId;
    bytes32 referrerAddr;
    uint8 referrerBps;
    uint8 auctionMode;
    bytes32 random;
}

struct OrderParams2 {
    uint8 payloadType;
    bytes32 trader;
    bytes32 destAddr;
    uint16 destChainId;
    bytes32 referrerAddr;
    bytes32 tokenOut;
    uint64 minAmountOut;
    uint64 gasDrop;
    uint64 cancelFee;
    uint64 refundFee;
    uint64 deadline;
    uint8 referrerBps;
    uint8 auctionMode;
    bytes32 random;
}

/// @title What Mayan's Swift contracts, both versions, do with new orders. What refunds them is left out, and of a fill
/// all but its payments.
/// @notice Functions, hash and refusals are those of the published source (swap-bridge, MayanSwift.sol; version 2 by the
/// vendor's SDK). In storage: the chain's Wormhole ID in slot 0, the fee manager's share in basis points in slot 1.
contract MayanSwift {
    uint256 private _chain;
    uint256 private _share;
    mapping(bytes32 => bool) private _orders;

    event OrderCreated(bytes32 key);

    error SmallAmountIn();
    error FeesTooHigh();
    error InvalidGasDrop();
    error InvalidDestChain();
    error DuplicateOrder();

    function createOrderWithEth(OrderParams memory params) external payable returns (bytes32 order) {
        order = keccak256(_packed(params, bytes32(0)));
        _create(order, params, address(0), msg.value);
    }

    function createOrderWithToken(address tokenIn, uint256 amountIn, OrderParams memory params)
        external
        returns (bytes32 order)
    {
        order = keccak256(_packed(params, bytes32(uint256(uint160(tokenIn)))));
        _create(order, params, tokenIn, amountIn);
    }

    function createOrderWithToken(
        address tokenIn,
        uint256 amountIn,
        OrderParams2 memory two,
        bytes memory customPayload
    ) external returns (bytes32 order) {
        require(two.payloadType == 1 && customPayload.length == 0 && tokenIn != address(0), "not on the sandbox");
        OrderParams memory params = OrderParams(
            two.trader,
            two.tokenOut,
            two.minAmountOut,
            two.gasDrop,
            two.cancelFee,
            two.refundFee,
            two.deadline,
            two.destAddr,
            two.destChainId,
            two.referrerAddr,
            two.referrerBps,
            two.auctionMode,
            two.random
        );
        bytes memory packed = _packed(params, bytes32(uint256(uint160(tokenIn))));
        order = keccak256(bytes.concat(bytes1(two.payloadType), packed, bytes32(0)));
        _create(order, params, tokenIn, amountIn);
    }

    /// @notice The payments of a fill, on the destination: the output, and exactly the order's gas drop with it.
    function makePayments(address tokenOut, uint256 amount, address destAddr, uint64 gasDrop) external payable {
        if (msg.value != uint256(gasDrop) * 1e10) revert InvalidGasDrop();
        Settle.pay(tokenOut, destAddr, Settle.take(tokenOut, msg.sender, amount));
        // The published contracts do not ask either whether that succeeds.
        (bool paid,) = destAddr.call{value: msg.value}("");
        paid;
    }

    function _create(bytes32 order, OrderParams memory params, address token, uint256 amount) private {
        uint256 decimals = token == address(0) ? 18 : IERC20Metadata(token).decimals();
        uint64 normalised = uint64(decimals > 8 ? amount / 10 ** (decimals - 8) : amount);
        if (normalised == 0) revert SmallAmountIn();
        if (params.cancelFee + params.refundFee >= normalised) revert FeesTooHigh();
        if (params.tokenOut == bytes32(0) && params.gasDrop != 0) revert InvalidGasDrop();
        if (params.destChainId == 0 || params.destChainId == _chain) revert InvalidDestChain();
        if (_orders[order]) revert DuplicateOrder();
        _orders[order] = true;
        bytes memory terms = abi.encode(
            params.trader,
            params.destAddr,
            params.destChainId,
            params.tokenOut,
            params.minAmountOut,
            params.gasDrop
        );
        Settle.deposit(order, address(uint160(uint256(params.trader))), token, amount, terms);
        emit OrderCreated(order);
    }

    function _packed(OrderParams memory params, bytes32 tokenIn) private view returns (bytes memory) {
        bytes memory first = abi.encodePacked(
            params.trader,
            uint16(_chain),
            tokenIn,
            params.destAddr,
            params.destChainId,
            params.tokenOut,
            params.minAmountOut,
            params.gasDrop
        );
        return bytes.concat(
            first,
            abi.encodePacked(params.cancelFee, params.refundFee, params.deadline, params.referrerAddr),
            abi.encodePacked(params.referrerBps, uint8(_share), params.auctionMode, params.random)
        );
    }
}
