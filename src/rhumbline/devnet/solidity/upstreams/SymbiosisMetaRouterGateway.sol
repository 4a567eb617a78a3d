// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title What users approve for Symbiosis' emulator. Its router's address lies in the first storage slot.
contract SymbiosisMetaRouterGateway {
    using SafeERC20 for IERC20;

    address internal router;

    error NotTheRouter(address caller);

    function claimTokens(address token, address from, uint256 amount) external {
        if (msg.sender != router) revert NotTheRouter(msg.sender);
        IERC20(token).safeTransferFrom(from, router, amount);
    }
}
