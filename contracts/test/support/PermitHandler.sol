// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeOrder, Fee, Operation, Order, PermitKind} from "../../src/Types.sol";
import {ISignatureTransfer} from "../../src/interfaces/IPermits.sol";
import {Permitting} from "./Permitting.sol";

/// @dev A wallet that signs permits and sends them or not, a victim that signs whatever it is asked to and never sends
/// anything, and a stranger who has all their signatures, used or not.
contract PermitHandler is Permitting {
    uint256 public constant VICTIM_KEY = 0xDEAD1;
    uint256 public constant HELD = 1e30;

    /// @dev A signature in the stranger's hands, and what its order is drawn from.
    struct Haul {
        uint256 amount;
        uint256 fees;
        bytes32 id;
        PermitKind kind;
        bool phished;
        address owner;
        bytes signature;
    }

    Haul[] internal hauls;
    address public victim = vm.addr(VICTIM_KEY);
    uint256 public spent;
    uint256 public permittedSwaps;
    uint256 public permittedTransfers;
    uint256 public frontRun;
    uint256 public attempts;
    uint256 private orders;

    constructor() {
        setUp();
        permitted.mint(victim, HELD);
        permitted.mint(wallet, HELD);
        permitted.mint(address(router), 1e36);
        permitted.mint(stranger, 1e24);
        tokenB.mint(address(router), 1e36);
        approvePermit2(address(permitted), victim);
        approvePermit2(address(permitted), stranger);
        vm.prank(stranger);
        permitted.approve(address(diamond), ALL);
    }

    function thief() external view returns (address) {
        return stranger;
    }

    function token() external view returns (address) {
        return address(permitted);
    }

    function places() external view returns (address, address) {
        return (address(diamond), address(executor));
    }

    function start() external view returns (address, uint256) {
        return (wallet, HELD + 1000);
    }

    /// @dev The wallet signs and sends, or a stranger is faster with its permit; what is paid is what it signed.
    function swapPermitted(uint256 amount, uint256 fees, bool ofToken, bool overtaken) external {
        (Order memory o, Fee[] memory taken, Operation[] memory made) = drawn(amount, fees, bytes32(++orders));
        PermitKind kind = ofToken ? PermitKind.Token : PermitKind.Permit2;
        bytes memory signature = signedBy(KEY, o, taken, made, kind);
        if (overtaken && ofToken) {
            submit(wallet, o, signature);
            ++frontRun;
        }
        uint256 before = permitted.balanceOf(wallet);
        uint256 received = tokenB.balanceOf(receiver);
        vm.prank(wallet);
        uint256 output = diamond.swapWithPermit(o, taken, made, kind, signature);
        equal(before - permitted.balanceOf(wallet), o.inputAmount, "exactly the amount");
        equal(tokenB.balanceOf(receiver) - received, output, "received");
        check(output >= o.minOutput, "at least the minimum");
        if (ofToken) equal(permitted.allowance(wallet, address(diamond)), 0, "no allowance left");
        spent += o.inputAmount;
        keep(Haul(amount, fees, o.id, kind, false, wallet, signature));
        ++permittedSwaps;
    }

    function bridgePermitted(uint256 amount, bool ofToken) external {
        BridgeOrder memory o = transfer(address(permitted), bounded(amount, 100, 1e18));
        o.id = bytes32(++orders);
        Operation[] memory made = list(depositing(address(permitted), o.inputAmount));
        bytes memory signature =
            ofToken ? tokenPermit(KEY, permitted, o.inputAmount, o.deadline) : orderPermit(KEY, o, noFees(), made);
        vm.prank(wallet);
        diamond.bridgeWithPermit(o, noFees(), made, ofToken ? PermitKind.Token : PermitKind.Permit2, signature);
        spent += o.inputAmount;
        ++permittedTransfers;
    }

    /// @dev The victim, or the wallet, is made to sign an order that is good for the stranger alone, and does not send
    /// it.
    function phish(uint256 amount, uint256 fees, bool ofToken, bool ofVictim) external {
        (Order memory o, Fee[] memory taken, Operation[] memory made) = drawn(amount, fees, bytes32(++orders));
        (o.receiver, o.minOutput) = (stranger, 1);
        PermitKind kind = ofToken ? PermitKind.Token : PermitKind.Permit2;
        uint256 key = ofVictim ? VICTIM_KEY : KEY;
        bytes memory signature = signedBy(key, o, taken, made, kind);
        keep(Haul(amount, fees, o.id, kind, true, vm.addr(key), signature));
    }

    /// @dev The stranger tries a signature in every way there is.
    function strike(uint256 which, uint256 how, uint256 amount) external {
        if (hauls.length == 0) return;
        Haul memory haul = hauls[which % hauls.length];
        (Order memory o,, Operation[] memory made) = drawn(haul.amount, haul.fees, haul.id);
        how = how % 6;
        ++attempts;
        if (how == 0) return submit(haul.owner, o, haul.signature);
        if (how == 1) return drain(haul, o, stranger, amount);
        if (how == 2) return drain(haul, o, address(diamond), amount);
        if (how == 4) (o.inputAmount, o.deadline) = (bounded(amount, 5, 1e18), o.deadline + amount % 100);
        if (how == 5) made = list(swappingAll(address(permitted), address(tokenB)));
        if (how != 3 || haul.phished) (o.receiver, o.minOutput) = (stranger, 1);
        uint256 had = permitted.balanceOf(stranger);
        vm.prank(stranger);
        try diamond.swapWithPermit(o, noFees(), made, haul.kind, haul.signature) {
            // His own allowance suffices for a token's permit: then he has paid for it himself.
            check(haul.kind == PermitKind.Token, "a signature over an order works for its owner alone");
            check(permitted.balanceOf(stranger) < had, "paid by himself");
        } catch {}
    }

    /// @dev Anybody may give a permit to the token.
    function submit(address owner, Order memory o, bytes memory signature) private {
        (uint8 v, bytes32 r, bytes32 s) = split(signature);
        vm.prank(stranger);
        try permitted.permit(owner, address(diamond), o.inputAmount, o.deadline, v, r, s) {} catch {}
    }

    /// @dev The stranger goes to Permit2 himself.
    function drain(Haul memory haul, Order memory o, address to, uint256 amount) private {
        vm.prank(stranger);
        try ISignatureTransfer(PERMIT2)
            .permitWitnessTransferFrom(
                ISignatureTransfer.PermitTransferFrom(
                    ISignatureTransfer.TokenPermissions(o.inputToken, o.inputAmount), uint256(o.id), o.deadline
                ),
                ISignatureTransfer.SignatureTransferDetails(to, amount % (o.inputAmount + 1)),
                haul.owner,
                keccak256(abi.encode(amount)),
                "Order witness)Order(bytes32 receiver)TokenPermissions(address token,uint256 amount)",
                haul.signature
            ) {
            check(false, "Permit2 gave it to a stranger");
        } catch {}
    }

    function drawn(uint256 amount, uint256 fees, bytes32 id)
        private
        view
        returns (Order memory o, Fee[] memory taken, Operation[] memory made)
    {
        amount = bounded(amount, 100, 1e18);
        taken = twoFees(fees % (amount / 10), fees % (amount / 11));
        uint256 net = amount - taken[0].amount - taken[1].amount;
        o = order(address(permitted), address(tokenB), amount, net * 2);
        o.id = id;
        made = list(swapping(address(permitted), address(tokenB), net));
    }

    function signedBy(uint256 key, Order memory o, Fee[] memory taken, Operation[] memory made, PermitKind kind)
        private
        view
        returns (bytes memory)
    {
        if (kind == PermitKind.Token) return tokenPermit(key, permitted, o.inputAmount, o.deadline);
        return orderPermit(key, o, taken, made);
    }

    /// @dev The latest 32 are kept.
    function keep(Haul memory haul) private {
        if (hauls.length < 32) hauls.push(haul);
        else hauls[orders % 32] = haul;
    }
}
