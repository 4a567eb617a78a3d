// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeOrder, Fee, Operation, Order, PermitKind} from "../../src/Types.sol";
import {Permit2Code} from "./Permit2Code.sol";
import {PermitToken} from "./PermitTokens.sol";
import {Setup} from "./Setup.sol";
import {Token} from "./Tokens.sol";

/// @dev Permit2's domain.
interface IDomain {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
}

/// @dev Wallets that sign permits. The types are written here once more, as a wallet is shown them.
abstract contract Permitting is Setup {
    bytes32 internal constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 internal constant TOKEN_PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 internal constant ORDER = keccak256(
        "Order(bytes32 receiver,uint256 destinationChainId,bytes32 outputToken,uint256 minOutput,bytes32 callHash)"
    );
    bytes32 internal constant PERMIT_ORDER = keccak256(
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness)Order(bytes32 receiver,uint256 destinationChainId,bytes32 outputToken,uint256 minOutput,bytes32 callHash)TokenPermissions(address token,uint256 amount)"
    );
    uint256 internal constant KEY = 0xA11CE;
    uint256 internal constant OTHER_KEY = 0xB0B;

    PermitToken internal permitted;

    function setUp() public virtual override {
        super.setUp();
        vm.etch(PERMIT2, Permit2Code.code());
        wallet = vm.addr(KEY);
        permitted = new PermitToken();
        permitted.mint(address(router), 1e24);
        permitted.mint(wallet, 1000);
        tokenA.mint(wallet, 1000);
        vm.deal(wallet, 1_000_000);
        approvePermit2(address(permitted), wallet);
        approvePermit2(address(tokenA), wallet);
    }

    function approvePermit2(address token, address owner) internal {
        vm.prank(owner);
        (bool success,) = token.call(abi.encodeCall(Token.approve, (PERMIT2, ALL)));
        check(success, "approval of Permit2");
    }

    function signed(uint256 key, bytes32 domain, bytes32 hash) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, hash)));
        return abi.encodePacked(r, s, v);
    }

    /// @dev An EIP-2612 permit for the Diamond.
    function tokenPermit(uint256 key, PermitToken token, uint256 amount, uint256 deadline)
        internal
        view
        returns (bytes memory)
    {
        address owner = vm.addr(key);
        bytes32 hash = keccak256(abi.encode(PERMIT, owner, address(diamond), amount, token.nonces(owner), deadline));
        return signed(key, token.DOMAIN_SEPARATOR(), hash);
    }

    /// @dev A Permit2 signature over a swap.
    function orderPermit(uint256 key, Order memory o, Fee[] memory fees, Operation[] memory operations)
        internal
        view
        returns (bytes memory)
    {
        bytes32 call = keccak256(abi.encode(o, fees, operations));
        bytes32 witness =
            keccak256(abi.encode(ORDER, word(o.receiver), block.chainid, word(o.outputToken), o.minOutput, call));
        return transferPermit(key, o.inputToken, o.inputAmount, o.id, o.deadline, witness);
    }

    /// @dev A Permit2 signature over a bridge transfer.
    function orderPermit(uint256 key, BridgeOrder memory o, Fee[] memory fees, Operation[] memory operations)
        internal
        view
        returns (bytes memory)
    {
        bytes32 call = keccak256(abi.encode(o, fees, operations));
        bytes32 witness =
            keccak256(abi.encode(ORDER, o.receiver, o.destinationChainId, o.outputToken, o.minOutput, call));
        return transferPermit(key, o.inputToken, o.inputAmount, o.id, o.deadline, witness);
    }

    function transferPermit(
        uint256 key,
        address token,
        uint256 amount,
        bytes32 nonce,
        uint256 deadline,
        bytes32 witness
    ) internal view returns (bytes memory) {
        bytes32 permissions = keccak256(abi.encode(TOKEN_PERMISSIONS, token, amount));
        bytes32 hash = keccak256(abi.encode(PERMIT_ORDER, permissions, address(diamond), nonce, deadline, witness));
        return signed(key, IDomain(PERMIT2).DOMAIN_SEPARATOR(), hash);
    }

    function swapPermitted(
        Order memory o,
        Fee[] memory fees,
        Operation[] memory operations,
        PermitKind kind,
        bytes memory signature
    ) internal returns (uint256) {
        vm.prank(wallet);
        return diamond.swapWithPermit(o, fees, operations, kind, signature);
    }

    function split(bytes memory signature) internal pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
    }

    function word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
