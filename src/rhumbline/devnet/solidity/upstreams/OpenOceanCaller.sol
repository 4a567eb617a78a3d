// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What OpenOcean's exchange has make the calls of a swap: it has been given the input.
/// @dev The real one packs more than an address into `target`; here it is nothing but one.
contract OpenOceanCaller {
    struct CallDescription {
        uint256 target;
        uint256 gasLimit;
        uint256 value;
        bytes data;
    }

    function makeCalls(CallDescription[] calldata calls) external payable {
        for (uint256 i; i < calls.length; ++i) {
            uint256 gasLimit = calls[i].gasLimit == 0 ? gasleft() : calls[i].gasLimit;
            (bool done, bytes memory answer) =
                address(uint160(calls[i].target)).call{value: calls[i].value, gas: gasLimit}(calls[i].data);
            if (!done) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
    }
}
