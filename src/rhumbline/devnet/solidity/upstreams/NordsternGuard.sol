// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Settle} from "./Settle.sol";

/// @title What Nordstern's guard has trade: it has been given the input, and pays the output itself.
/// @dev The real one's instructions are packed in a form of its own; here they are one call of the sandbox's router,
/// as `abi.encode(address router, bytes call)`.
contract NordsternExecutor {
    receive() external payable {}

    /// @param packed The guard's own calldata, beginning with the amount.
    function executeSwap(bytes calldata packed) external payable {
        uint256 amount = uint128(bytes16(packed[0:16]));
        address recipient = address(bytes20(packed[53:73]));
        address tokenIn = address(bytes20(packed[73:93]));
        address tokenOut = address(bytes20(packed[93:113]));
        Settle.pay(tokenOut, recipient, Settle.trade(tokenIn, amount, tokenOut, packed[113:]));
    }
}

/// @title What AggregatorGuard of Nordstern does with a call of `IceCreamSwap`.
/// @notice The places of the packed arguments, the order of the checks and their words are those of the published
/// source.
contract NordsternGuard {
    address private constant ETH = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    event AggregatedTrade(
        uint16 indexed id,
        address indexed user,
        address tokenIn,
        address tokenOut,
        address executor,
        uint256 amountIn,
        uint256 amountOut,
        uint256 minAmountOut
    );

    receive() external payable {}

    function IceCreamSwap() external payable returns (uint256 amountOut) {
        address executor = address(bytes20(msg.data[6:26]));
        uint256 amountIn = uint128(bytes16(msg.data[26:42]));
        address firstTokenReceiver = address(bytes20(msg.data[59:79]));
        address recipient = address(bytes20(msg.data[79:99]));
        address tokenIn = address(bytes20(msg.data[99:119]));
        address tokenOut = address(bytes20(msg.data[119:139]));
        if (tokenIn == ETH) {
            require(amountIn == msg.value, "incorrect value");
            require(firstTokenReceiver == executor, "Native receiver must be executor");
        } else if (amountIn != 0) {
            // Whether that moved anything is not looked at: without its input the trade fails. Nor does every token
            // return something.
            (bool done,) =
                tokenIn.call(abi.encodeCall(IERC20.transferFrom, (msg.sender, firstTokenReceiver, amountIn)));
            require(done, "transfer failed");
        }
        uint256 before = Settle.balance(tokenOut, recipient);
        NordsternExecutor(payable(executor)).executeSwap{value: msg.value}(msg.data[26:]);
        amountOut = Settle.balance(tokenOut, recipient) - before;
        uint256 minAmountOut = uint128(bytes16(msg.data[42:58]));
        require(amountOut >= minAmountOut, "Insufficient output");
        emit AggregatedTrade(
            uint16(bytes2(msg.data[4:6])), recipient, tokenIn, tokenOut, executor, amountIn, amountOut, minAmountOut
        );
    }
}
