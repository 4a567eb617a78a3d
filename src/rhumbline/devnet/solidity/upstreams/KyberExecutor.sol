// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title What KyberSwap's router calls to trade: it has been given the input, and pays the output itself.
/// @dev The real one's data is packed in a form of its own; here it is one call of the sandbox's router.
contract KyberExecutor {
    using SafeERC20 for IERC20;

    address private constant ETH = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    function callBytes(bytes calldata data) external payable {
        (uint256 deadline, address token, uint256 amount, address router, bytes memory trade) =
            abi.decode(data, (uint256, address, uint256, address, bytes));
        require(block.timestamp <= deadline, "Expired");
        if (token != ETH) IERC20(token).forceApprove(router, amount);
        (bool success,) = router.call{value: token == ETH ? amount : 0}(trade);
        require(success, "trade failed");
    }
}
