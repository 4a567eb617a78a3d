// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice Names as ENS keeps them: a registry, resolvers, and the entry that ENSIP-23 describes, without wildcards.
/// Tests of the service's own resolver put this at the entry's address on a chain of their own; errors are ENS's.
contract Names {
    mapping(bytes32 node => address) public resolver;

    error ResolverNotFound(bytes name);
    error ResolverNotContract(bytes name, address resolver);
    error UnsupportedResolverProfile(bytes4 selector);
    error ResolverError(bytes errorData);

    /// @notice `labels` of "a.b.eth" are ["a", "b", "eth"].
    function nodeOf(string[] calldata labels) public pure returns (bytes32 node) {
        for (uint256 i = labels.length; i > 0; i--) {
            node = keccak256(abi.encode(node, keccak256(bytes(labels[i - 1]))));
        }
    }

    function register(string[] calldata labels, address to) external {
        resolver[nodeOf(labels)] = to;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        address to = resolver[hashed(name, 0)];
        if (to == address(0)) revert ResolverNotFound(name);
        if (to.code.length == 0) revert ResolverNotContract(name, to);
        (bool ok, bytes memory answer) = to.staticcall(data);
        if (!ok) {
            bytes4 kind = bytes4(answer);
            bool passed = kind == UnsupportedResolverProfile.selector || kind == OffchainResolver.OffchainLookup.selector;
            if (!passed) revert ResolverError(answer);
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        if (answer.length == 0) revert UnsupportedResolverProfile(bytes4(data));
        return (answer, to);
    }

    /// @dev The node of a name as DNS writes it.
    function hashed(bytes calldata name, uint256 start) private pure returns (bytes32) {
        uint256 size = uint8(name[start]);
        if (size == 0) return 0;
        bytes32 label = keccak256(name[start + 1:start + 1 + size]);
        return keccak256(abi.encode(hashed(name, start + 1 + size), label));
    }
}

/// @notice Addresses by name and coin type (ENSIP-9).
contract Resolver {
    mapping(bytes32 node => mapping(uint256 coin => bytes)) private known;

    function set(bytes32 node, uint256 coin, bytes calldata to) external {
        known[node][coin] = to;
    }

    function addr(bytes32 node) external view returns (address) {
        return address(bytes20(known[node][60]));
    }

    function addr(bytes32 node, uint256 coin) external view returns (bytes memory) {
        return known[node][coin];
    }
}

/// @notice A resolver from before ENSIP-9: it knows addresses of Ethereum only.
contract OldResolver {
    address private immutable to;

    constructor(address given) {
        to = given;
    }

    function addr(bytes32) external view returns (address) {
        return to;
    }
}

/// @notice A resolver whose answers are elsewhere (EIP-3668).
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    fallback() external {
        revert OffchainLookup(address(this), new string[](1), msg.data, this.callback.selector, "");
    }

    function callback() external {}
}

/// @notice A resolver that answers, or reverts with, whatever it was made with.
contract HostileResolver {
    bytes private answer;
    bool private immutable reverting;

    constructor(bytes memory given, bool reverts) {
        answer = given;
        reverting = reverts;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        bytes memory given = answer;
        if (reverting) {
            assembly {
                revert(add(given, 32), mload(given))
            }
        }
        return given;
    }
}

/// @notice A resolver that takes all the gas there is.
contract EndlessResolver {
    fallback() external {
        while (true) {}
    }
}
