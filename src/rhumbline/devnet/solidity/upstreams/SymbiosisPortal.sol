// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Settle} from "./Settle.sol";

struct MetaSynthesizeTransaction {
    uint256 stableBridgingFee;
    uint256 amount;
    address rtoken;
    address chain2address;
    address receiveSide;
    address oppositeBridge;
    address syntCaller;
    uint256 chainID;
    address[] swapTokens;
    address secondDexRouter;
    bytes secondSwapCalldata;
    address finalReceiveSide;
    bytes finalCalldata;
    uint256 finalOffset;
    address revertableAddress;
    bytes32 clientID;
}

/// @title Where the tokens of Symbiosis' emulator are locked on the origin chain.
/// @notice The request's number lies in the first storage slot. What is to happen elsewhere is in the call itself.
contract SymbiosisPortal {
    uint256 internal requestCount;

    event SynthesizeRequest(
        bytes32 id,
        address indexed from,
        uint256 indexed chainID,
        address indexed revertableAddress,
        address to,
        uint256 amount,
        address token
    );

    function metaSynthesize(MetaSynthesizeTransaction calldata lock) external returns (bytes32 id) {
        id = keccak256(abi.encodePacked(address(this), requestCount++, block.chainid));
        Settle.deposit(id, lock.syntCaller, lock.rtoken, lock.amount, msg.data);
        emit SynthesizeRequest(
            id, lock.syntCaller, lock.chainID, lock.revertableAddress, lock.chain2address, lock.amount, lock.rtoken
        );
    }
}
