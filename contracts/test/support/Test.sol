// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev The cheat codes of forge that these tests use (https://getfoundry.sh/reference/cheatcodes/overview).
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function getCode(string calldata artifact) external view returns (bytes memory creationCode);
    function prank(address sender) external;
    function addr(uint256 key) external pure returns (address account);
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function warp(uint256 time) external;
    function assume(bool condition) external pure;
    function expectRevert(bytes calldata data) external;
    function expectRevert(bytes4 selector) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);
    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;
    function assertTrue(bool condition, string calldata reason) external pure;
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gas);
}

/// @dev What a test contract begins with.
abstract contract Test {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function equal(uint256 actual, uint256 expected, string memory what) internal pure {
        vm.assertEq(actual, expected, what);
    }

    function check(bool condition, string memory what) internal pure {
        vm.assertTrue(condition, what);
    }

    function bounded(uint256 seed, uint256 low, uint256 high) internal pure returns (uint256) {
        return low + seed % (high - low + 1);
    }
}
