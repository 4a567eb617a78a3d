// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Settle} from "./Settle.sol";

/// @title What OKX's users approve: it hands their tokens to nobody but its proxy, which lies in the first slot.
contract OkxTokenApprove {
    using SafeERC20 for IERC20;

    address public tokenApproveProxy;

    function claimTokens(address token, address who, address dest, uint256 amount) external {
        require(msg.sender == tokenApproveProxy, "TokenApprove: Access restricted");
        if (amount > 0) IERC20(token).safeTransferFrom(who, dest, amount);
    }
}

/// @title What knows the routers: it claims for those that are allowed, by a mapping in the first slot. What it claims
/// from lies in the second.
contract OkxTokenApproveProxy {
    mapping(address => bool) public allowedApprove;
    address public tokenApprove;

    function claimTokens(address token, address who, address dest, uint256 amount) external {
        require(allowedApprove[msg.sender], "ApproveProxy: Access restricted");
        OkxTokenApprove(tokenApprove).claimTokens(token, who, dest, amount);
    }

    function isAllowedProxy(address proxy) external view returns (bool) {
        return allowedApprove[proxy];
    }
}

/// @title What OKX's DexRouter does with a swap through a graph of pools, and with the trim that follows the arguments.
/// @notice Signatures, order of the checks and their words are those of the published source.
/// @dev The real one trades node by node through its adapters; here the first node's data has the whole trade, as
/// `abi.encode(address router, bytes call)`, and the others show the tokens only. The proxy that it claims through lies
/// in the first slot.
contract OkxRouter {
    bytes6 private constant TRIM = 0x777777771111;
    address private constant ETH = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    OkxTokenApproveProxy public approveProxy;

    struct BaseRequest {
        uint256 fromToken;
        address toToken;
        uint256 fromTokenAmount;
        uint256 minReturnAmount;
        uint256 deadLine;
    }

    struct RouterPath {
        address[] mixAdapters;
        address[] assetTo;
        uint256[] rawData;
        bytes[] extraData;
        uint256 fromToken;
    }

    event SwapOrderId(uint256 id);
    event OrderRecord(address fromToken, address toToken, address sender, uint256 fromAmount, uint256 returnAmount);

    receive() external payable {}

    function dagSwapByOrderId(uint256 orderId, BaseRequest calldata baseRequest, RouterPath[] calldata paths)
        external
        payable
        returns (uint256)
    {
        return _swap(orderId, msg.sender, baseRequest, paths);
    }

    function dagSwapTo(uint256 orderId, address receiver, BaseRequest calldata baseRequest, RouterPath[] calldata paths)
        external
        payable
        returns (uint256)
    {
        return _swap(orderId, receiver, baseRequest, paths);
    }

    function _swap(uint256 orderId, address receiver, BaseRequest calldata base, RouterPath[] calldata paths)
        private
        returns (uint256 paid)
    {
        require(base.deadLine >= block.timestamp, "Route: expired");
        emit SwapOrderId(orderId);
        require(receiver != address(0), "not addr(0)");
        address fromToken = address(uint160(base.fromToken));
        require(msg.value == (fromToken == ETH ? base.fromTokenAmount : 0), "value must be 0");
        if (fromToken != ETH) approveProxy.claimTokens(fromToken, msg.sender, address(this), base.fromTokenAmount);
        paid = Settle.trade(fromToken, base.fromTokenAmount, base.toToken, paths[0].extraData[0]);
        paid -= _trim(base.toToken, paid);
        require(paid >= base.minReturnAmount, "Min return not reached");
        Settle.pay(base.toToken, receiver, paid);
        emit OrderRecord(fromToken, base.toToken, tx.origin, base.fromTokenAmount, paid);
    }

    /// @notice Pays out of what is above the expected amount, at most `rate` thousandths of all, and returns how much.
    function _trim(address token, uint256 amount) private returns (uint256 trimmed) {
        uint256 last = msg.data.length - 32;
        if (bytes6(msg.data[last:last + 6]) != TRIM) return 0;
        require(bytes6(msg.data[last - 32:last - 26]) == TRIM, "trim flag mismatch");
        uint256 rate = uint48(bytes6(msg.data[last + 6:last + 12]));
        require(rate > 0 && rate <= 100, "total trim rate must be <= 100");
        uint256 expected = uint160(bytes20(msg.data[last - 20:last]));
        if (amount <= expected) return 0;
        trimmed = amount * rate / 1000;
        if (amount - expected < trimmed) trimmed = amount - expected;
        Settle.pay(token, address(bytes20(msg.data[last + 12:last + 32])), trimmed);
    }
}
