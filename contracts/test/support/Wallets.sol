// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @dev A contract wallet of one key. Like others it signs what is bound to itself and to its chain, so that a
/// signature of its key for another account is none of its own.
contract OwnedWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function bound(bytes32 digest) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), digest));
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view virtual returns (bytes4) {
        return _signed(bound(digest), signature) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function _signed(bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (signature.length != 65) return false;
        return owner == ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
    }
}

/// @dev One that takes its key's signature as it is: of the digest alone.
contract PlainWallet is OwnedWallet {
    constructor(address owner_) OwnedWallet(owner_) {}

    function isValidSignature(bytes32 digest, bytes calldata signature) external view override returns (bytes4) {
        return _signed(digest, signature) ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @dev Makes wallets at addresses that are known before.
contract WalletFactory {
    function create(address owner, bytes32 salt) external returns (address) {
        return address(new PlainWallet{salt: salt}(owner));
    }

    function placeOf(address owner, bytes32 salt) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(PlainWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}

/// @dev Contracts that are no wallets, and what they answer.
contract Echo {
    fallback(bytes calldata data) external returns (bytes memory) {
        return data;
    }
}

contract Truth {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(true);
    }
}

contract Short {
    fallback(bytes calldata) external returns (bytes memory) {
        return hex"1626ba7e";
    }
}

contract Silent {
    fallback() external {}
}

contract Reverting {
    fallback() external {
        revert("no");
    }
}

contract Endless {
    fallback() external {
        while (true) {}
    }
}

contract Verbose {
    fallback() external {
        assembly {
            mstore(0, 0xffffffff00000000000000000000000000000000000000000000000000000000)
            return(0, 100000)
        }
    }
}
