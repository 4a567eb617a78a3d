// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IReceiver, Message} from "../../src/interfaces/IReceiver.sol";
import {Operation, SwapTerms} from "../../src/Types.sol";
import {Crossing, Spoke} from "./Crossing.sol";
import {Savings} from "./Savings.sol";
import {CallbackToken, Token} from "./Tokens.sol";
import {Attacker, Burner} from "./Venues.sol";

/// @dev Depositors with calls on arrival, honest ones and ones whose targets are hostile, relayers with any gas, and a
/// victim who has approved the Executor and the Receiver by mistake.
contract CallHandler is Crossing {
    Savings public savings;
    Attacker public attacker;
    CallbackToken public hooked;
    address public burner;
    address public victim = address(uint160(uint256(keccak256("victim"))));
    uint256 public constant HELD = 1e15;
    Token[] public bridged;

    uint256 public completed;
    uint256 public swapped;
    uint256 public recovered;
    uint256 public refusals;
    uint256 public strikes;

    constructor() {
        setUp();
        savings = new Savings();
        attacker = new Attacker();
        hooked = new CallbackToken();
        burner = address(new Burner());
        bridged = [tokenA, hooked];
        vm.deal(address(router), 1e36);
        for (uint256 i; i < bridged.length; ++i) {
            Token token = bridged[i];
            if (i != 0) endow(token);
            token.mint(address(router), 1e36);
            token.mint(victim, HELD);
            allow(token, victim, address(arrival), ALL);
        }
    }

    function ours() external view returns (address, address) {
        return (address(arrival), address(executor));
    }

    /// @dev A deposit into the savings of `receiver`, and native beside it if `part` is not 0. It is all done, or the
    /// receiver has all that was bridged, or nobody has paid anything.
    function callHonestly(uint256 which, uint256 amount, uint256 approved, uint256 part, uint256 gasLimit) external {
        Token token = bridged[which % 2];
        amount = bounded(amount, 1, 1e18);
        part = which & 2 == 0 ? 0 : bounded(part, 0, amount);
        approved = bounded(approved, 1, amount * 5 / 4);
        uint256 taken = which & 4 == 0 ? approved : approved * (which >> 8 & 0xff) / 200;
        savings.close(which & 0xf0 == 0);
        Operation memory saving = calling(
            address(savings),
            address(token),
            approved,
            abi.encodeCall(Savings.deposit, (address(token), taken, receiver))
        );
        Operation[] memory calls = part == 0 ? list(saving) : list(swapping(address(token), NATIVE, part), saving);
        Message memory wanted = message(part == 0 ? address(token) : NATIVE, part * 2, calls);
        _fill(token, amount, taken, part, wanted, bounded(gasLimit, 300_000, 3_000_000));
    }

    function _fill(Token token, uint256 amount, uint256 taken, uint256 part, Message memory wanted, uint256 gasLimit)
        private
    {
        uint256[4] memory had = _holdings(token);
        bytes memory told = abi.encode(wanted);
        vm.prank(relayer);
        try spoke.fillRelay{gas: gasLimit}(address(token), amount, address(arrival), told) {
            uint256[4] memory has = _holdings(token);
            equal(had[3] - has[3], amount, "what the relayer paid");
            uint256 saved = has[1] - had[1];
            if (saved == 0 && has[2] == had[2] && has[0] - had[0] == amount) {
                ++recovered;
            } else {
                equal(saved, taken, "what the call takes");
                equal(has[2] - had[2], part * 2, "native");
                equal(has[0] - had[0], amount - part - taken, "what it leaves");
                ++completed;
            }
        } catch {
            uint256[4] memory has = _holdings(token);
            for (uint256 i; i < 4; ++i) {
                equal(has[i], had[i], "nobody paid anything");
            }
            ++refusals;
        }
        keepsNothing();
    }

    /// @dev The receiver's tokens, his savings, his native, the relayer's tokens.
    function _holdings(Token token) private view returns (uint256[4] memory) {
        return [
            token.balanceOf(receiver),
            savings.saved(address(token), receiver),
            receiver.balance,
            token.balanceOf(relayer)
        ];
    }

    /// @dev A part for native, the rest swapped into the other token, of which the savings have some. It is all done, or
    /// the receiver has all that was bridged, or nobody has paid anything.
    function callAfterSwap(uint256 which, uint256 amount, uint256 part, uint256 gas, uint256 approved) external {
        (Token token, Token other) = (bridged[which % 2], bridged[1 - which % 2]);
        amount = bounded(amount, 2, 1e18);
        part = bounded(part, 1, amount - 1);
        approved = bounded(approved, 1, (amount - part) * 9 / 4);
        savings.close(which & 0xf0 == 0);
        Operation[] memory calls = new Operation[](4);
        calls[0] = swapping(address(token), NATIVE, part);
        calls[1] = paying(NATIVE, receiver, bounded(gas, 1, part * 9 / 4));
        calls[2] = swapping(address(token), address(other), amount - part);
        bytes memory data = abi.encodeCall(Savings.depositAll, (address(other), receiver));
        calls[3] = calling(address(savings), address(other), approved, data);
        _fillSwapping(token, other, [amount, part, approved], calls, bounded(which >> 16, 300_000, 3_000_000));
    }

    /// @param n What is bridged, the part of it for native, and what the call takes.
    function _fillSwapping(Token token, Token other, uint256[3] memory n, Operation[] memory calls, uint256 gasLimit)
        private
    {
        uint256[4] memory had = _holdings(token);
        uint256[4] memory hadOther = _holdings(other);
        bytes memory told = abi.encode(message(address(other), 0, calls));
        vm.prank(relayer);
        try spoke.fillRelay{gas: gasLimit}(address(token), n[0], address(arrival), told) {
            if (_swappedOrBack(had, _holdings(token), hadOther, _holdings(other), n)) ++swapped;
            else ++recovered;
        } catch {
            for (uint256 i; i < 4; ++i) {
                equal(_holdings(token)[i], had[i], "nobody paid anything");
            }
            ++refusals;
        }
        keepsNothing();
    }

    function _swappedOrBack(
        uint256[4] memory had,
        uint256[4] memory has,
        uint256[4] memory hadOther,
        uint256[4] memory hasOther,
        uint256[3] memory n
    ) private pure returns (bool works) {
        works = hasOther[1] != hadOther[1];
        equal(had[3] - has[3], n[0], "what the relayer paid");
        equal(has[0] - had[0], works ? 0 : n[0], "of what was bridged");
        equal(has[2] - had[2], works ? n[1] * 2 : 0, "native");
        equal(hasOther[1] - hadOther[1], works ? n[2] : 0, "what the call takes");
        equal(hasOther[0] - hadOther[0], works ? (n[0] - n[1]) * 2 - n[2] : 0, "what it leaves");
    }

    /// @dev A call of whatever a stranger likes, in a message for himself: nobody else loses anything.
    function strike(uint256 seed, uint256 amount) external {
        Token token = bridged[seed & 1];
        (address target, bytes memory data) = weapon(seed >> 8);
        Operation memory call = calling(target, seed & 2 == 0 ? NATIVE : address(token), ALL, data);
        if (seed & 4 != 0) call.spender = place(seed >> 16);
        Message memory wanted = message(seed & 8 == 0 ? address(token) : NATIVE, 0, list(call));
        wanted.receiver = stranger;
        wanted.swapGas = seed >> 24 & 0x1fffff;
        uint256 owned = token.balanceOf(receiver);
        vm.prank(relayer);
        try spoke.fillRelay{gas: 4_000_000}(
            address(token), bounded(amount, 1, 1e18), address(arrival), abi.encode(wanted)
        ) {
            ++strikes;
        } catch {
            ++refusals;
        }
        check(token.balanceOf(receiver) >= owned, "the receiver's");
        keepsNothing();
    }

    /// @dev What the attacker does when it is called, or when the hooked token tells it of a transfer.
    function setTrap(uint256 seed, bool swallow) external {
        (address target, bytes memory data) = weapon(seed >> 8);
        address[4] memory places = [relayer, address(savings), address(executor), receiver];
        hooked.listen(places[seed % 4], seed & 4 == 0 ? address(attacker) : address(0));
        attacker.load(target == address(attacker) ? address(0) : target, data, swallow);
    }

    function weapon(uint256 seed) private view returns (address, bytes memory) {
        address token = address(bridged[seed >> 4 & 1]);
        uint256 which = seed % 10;
        if (which == 0) return (token, abi.encodeCall(Token.approve, (stranger, ALL)));
        if (which == 1) return (token, abi.encodeCall(Token.transferFrom, (victim, stranger, 1)));
        if (which == 2) return (token, abi.encodeCall(Token.transferFrom, (address(executor), stranger, 1)));
        if (which == 3) return (address(arrival), abi.encodeCall(IReceiver.complete, (token, 1, plain(token))));
        if (which == 4) {
            bytes memory told = abi.encode(plain(token));
            return (address(spoke), abi.encodeCall(Spoke.tell, (token, 1, address(arrival), told)));
        }
        if (which == 5) return (address(attacker), abi.encodeCall(Attacker.attack, ()));
        if (which == 6) return (burner, abi.encodeCall(Burner.onTransfer, ()));
        if (which == 7) return (address(savings), abi.encodeCall(Savings.depositAll, (token, stranger)));
        if (which == 8) return (PERMIT2, abi.encodeWithSignature("approve(address,address,uint160,uint48)"));
        SwapTerms memory terms = SwapTerms(stranger, stranger, token, NATIVE, 0);
        return (address(executor), abi.encodeCall(executor.executeSwap, (terms, tokens(token), new Operation[](0))));
    }

    function plain(address token) private view returns (Message memory) {
        return message(token, 0, list(calling(address(savings), NATIVE, 0, "")));
    }

    function place(uint256 seed) private view returns (address) {
        address[6] memory places =
            [address(savings), address(spoke), address(attacker), address(arrival), address(executor), stranger];
        return places[seed % places.length];
    }

    function keepsNothing() private view {
        for (uint256 i; i < bridged.length; ++i) {
            Token token = bridged[i];
            equal(token.balanceOf(address(arrival)), 0, "of the Receiver");
            equal(token.balanceOf(address(executor)), 0, "of the Executor");
            equal(token.allowance(address(executor), address(savings)), 0, "the target's allowance");
            equal(token.allowance(address(executor), address(attacker)), 0, "the attacker's allowance");
        }
        equal(address(executor).balance, 0, "native of the Executor");
    }
}
