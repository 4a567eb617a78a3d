// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeOrder, BridgeRecord, Kind, Operation, Order, SwapRecord} from "./Types.sol";

/// @title What the Diamond's events say of an order
library Records {
    /// @param gross Fees paid and amount handed to the Executor.
    /// @param net What the Executor received, measured.
    function swapRecord(Order calldata order, uint256 gross, uint256 net, uint256 outputAmount)
        internal
        pure
        returns (SwapRecord memory)
    {
        return SwapRecord({
            receiver: order.receiver,
            inputToken: order.inputToken,
            orderedAmount: order.inputAmount,
            inputAmount: gross,
            netAmount: net,
            outputToken: order.outputToken,
            outputAmount: outputAmount,
            minOutput: order.minOutput,
            deadline: order.deadline,
            adapter: order.adapter
        });
    }

    function bridgeRecord(
        BridgeOrder calldata order,
        uint256 gross,
        uint256 sentAmount,
        Operation[] calldata operations
    ) internal pure returns (BridgeRecord memory) {
        return BridgeRecord({
            adapter: order.adapter,
            receiver: order.receiver,
            destinationChainId: order.destinationChainId,
            inputToken: order.inputToken,
            orderedAmount: order.inputAmount,
            inputAmount: gross,
            sentToken: order.sentToken,
            sentAmount: sentAmount,
            outputToken: order.outputToken,
            expectedOutput: order.expectedOutput,
            minOutput: order.minOutput,
            deadline: order.deadline,
            refundTo: order.refundTo,
            swapped: _swaps(operations),
            hasDestCall: order.hasDestCall,
            bridgeRef: order.bridgeRef
        });
    }

    /// @dev Whether something is traded before the bridge is called.
    function _swaps(Operation[] calldata operations) private pure returns (bool) {
        for (uint256 i; i + 1 < operations.length; ++i) {
            if (operations[i].kind == Kind.Call || operations[i].kind == Kind.Pools) return true;
        }
        return false;
    }
}
