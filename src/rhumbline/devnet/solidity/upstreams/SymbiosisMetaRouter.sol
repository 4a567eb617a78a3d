// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

interface IGateway {
    function claimTokens(address token, address from, uint256 amount) external;
}

struct MetaRouteTransaction {
    bytes firstSwapCalldata;
    bytes secondSwapCalldata;
    address[] approvedTokens;
    address firstDexRouter;
    address secondDexRouter;
    uint256 amount;
    bool nativeIn;
    address relayRecipient;
    bytes otherSideCalldata;
}

/// @title The entry of Symbiosis' emulator.
/// @notice What users approve is its gateway, whose address lies in the first storage slot. It takes the input of its
/// caller, wraps or swaps it if told so, and locks in the portal all that it then holds.
contract SymbiosisMetaRouter {
    using SafeERC20 for IERC20;

    IGateway internal gateway;

    error CallFailed(address target, bytes answer);
    error WrongValue(uint256 sent, uint256 needed);

    function metaRoute(MetaRouteTransaction calldata route) external payable {
        uint256 needed = route.nativeIn ? route.amount : 0;
        if (msg.value != needed) revert WrongValue(msg.value, needed);
        if (!route.nativeIn) gateway.claimTokens(route.approvedTokens[0], msg.sender, route.amount);
        if (route.firstSwapCalldata.length != 0) {
            if (!route.nativeIn) IERC20(route.approvedTokens[0]).forceApprove(route.firstDexRouter, route.amount);
            call(route.firstDexRouter, msg.value, route.firstSwapCalldata);
        }
        IERC20 token = IERC20(route.approvedTokens[route.approvedTokens.length - 1]);
        uint256 held = token.balanceOf(address(this));
        token.forceApprove(route.relayRecipient, held);
        bytes memory lock = route.otherSideCalldata;
        // The amount is the third word of the call, behind the offset of its struct and the fee.
        assembly ("memory-safe") {
            mstore(add(lock, 100), held)
        }
        call(route.relayRecipient, 0, lock);
    }

    function call(address target, uint256 value, bytes memory data) internal {
        (bool done, bytes memory answer) = target.call{value: value}(data);
        if (!done) revert CallFailed(target, answer);
    }
}
