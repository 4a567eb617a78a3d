// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IReceiver, Message} from "../../src/interfaces/IReceiver.sol";
import {Kind, Operation, SwapTerms} from "../../src/Types.sol";
import {Crossing, Spoke} from "./Crossing.sol";
import {CallbackToken, SilentToken, TaxToken, Token, Wrapped} from "./Tokens.sol";
import {Attacker, Router} from "./Venues.sol";

/// @dev Everybody who does something to the Receiver in the invariant tests: an honest depositor, strangers with any
/// message, relayers with any gas, donors. A victim has approved the Receiver by mistake and does nothing.
contract FillHandler is Crossing {
    Token[] public tokens_;
    Attacker public attacker;
    CallbackToken public hooked;
    address public victim = address(uint160(uint256(keccak256("victim"))));
    uint256 public constant HELD = 1e15;
    /// @dev Which of the tokens taxes transfers.
    uint256 private constant TAXED = 3;

    /// @dev What was ever given to the Receiver without being asked for.
    mapping(address => uint256) public donated;

    uint256 public completed;
    uint256 public recovered;
    uint256 public strikes;
    uint256 public refusals;

    constructor() {
        setUp();
        attacker = new Attacker();
        hooked = new CallbackToken();
        tokens_ = [tokenA, tokenB, Token(new SilentToken()), Token(new TaxToken()), hooked, Token(wrapped)];
        for (uint256 i; i < tokens_.length; ++i) {
            Token token = tokens_[i];
            endow(token);
            token.mint(address(router), 1e36);
            token.mint(address(attacker), 1e24);
            allow(token, address(attacker), address(spoke), ALL);
            token.mint(victim, HELD);
            allow(token, victim, address(arrival), ALL);
        }
        vm.deal(address(router), 1e36);
        vm.deal(address(wrapped), 1e38);
    }

    function tokenCount() external view returns (uint256) {
        return tokens_.length;
    }

    function ours() external view returns (address, address, address, address) {
        return (address(arrival), address(executor), address(spoke), address(router));
    }

    function any(uint256 seed) private view returns (Token) {
        return tokens_[seed % tokens_.length];
    }

    /// @dev An honest deposit: its receiver has the minimum, or all of what was bridged, or nobody has paid anything.
    function fillHonestly(uint256 from, uint256 to, uint256 amount, uint256 minimum, uint256 gasLimit) external {
        (Token bridged, Token output) = (any(from), any(to));
        if (address(bridged) == address(output)) output = any(to % tokens_.length + 1);
        amount = bounded(amount, 100, 1e18);
        minimum = bounded(minimum, 1, amount * 5 / 2);
        Operation[] memory calls = list(swappingAll(address(bridged), address(output)));
        bytes memory told = abi.encode(message(address(output), minimum, calls));
        uint256 had = bridged.balanceOf(relayer);
        (uint256 before, uint256 out) = (bridged.balanceOf(receiver), output.balanceOf(receiver));
        gasLimit = bounded(gasLimit, 100_000, 3_000_000);
        vm.prank(relayer);
        try spoke.fillRelay{gas: gasLimit}(address(bridged), amount, address(arrival), told) {
            uint256 back = bridged.balanceOf(receiver) - before;
            if (output.balanceOf(receiver) - out >= minimum) {
                ++completed;
            } else {
                uint256 tax = address(bridged) == address(tokens_[TAXED]) ? (amount + 99) / 100 : 0;
                equal(back, amount - tax, "all that was bridged");
                equal(output.balanceOf(receiver), out, "and nothing else");
                ++recovered;
            }
        } catch {
            equal(bridged.balanceOf(relayer), had, "nothing was paid");
            ++refusals;
        }
        keepsNothing();
    }

    /// @dev Any message at all, from a relayer who may also be in the middle of something.
    function strike(uint256 seed, uint256 amount) external {
        Token bridged = any(seed >> 8);
        Message memory wanted = Message(
            bytes32(seed),
            place(seed >> 16),
            address(any(seed >> 24)),
            seed >> 32 & 3,
            seed >> 40 & 0xfffff,
            hostile(seed)
        );
        bytes memory told = abi.encode(wanted);
        vm.prank(seed & 1 == 0 ? relayer : address(attacker));
        try spoke.fillRelay(address(bridged), bounded(amount, 0, 1e18), address(arrival), told) {
            ++strikes;
        } catch {
            ++refusals;
        }
        keepsNothing();
    }

    /// @dev The ways in that are nobody's.
    function strikeDirectly(uint256 seed, uint256 amount) external {
        Message memory wanted = message(address(any(seed >> 8)), 1, hostile(seed));
        vm.prank(stranger);
        try arrival.handleV3AcrossMessage(address(any(seed)), amount, stranger, abi.encode(wanted)) {
            check(false, "a stranger brought a message");
        } catch {
            ++refusals;
        }
        vm.prank(stranger);
        try arrival.complete(address(any(seed)), amount, wanted) {
            check(false, "a stranger completed");
        } catch {
            ++refusals;
        }
    }

    /// @dev Whoever is told of a transfer tries to bring another message, or to fill from within the Executor.
    function setTrap(uint256 seed, uint256 amount, bool swallow) external {
        address[4] memory places = [relayer, address(router), address(executor), receiver];
        hooked.listen(places[seed % 4], seed & 4 == 0 ? address(attacker) : address(0));
        Message memory wanted = message(address(any(seed >> 8)), 1, hostile(seed));
        wanted.receiver = stranger;
        bytes memory told = abi.encode(wanted);
        bytes memory data =
            abi.encodeCall(Spoke.fillRelay, (address(any(seed >> 16)), amount % 1e12, address(arrival), told));
        attacker.load(address(spoke), data, swallow);
    }

    function donate(uint256 which, uint256 amount) external {
        Token token = any(which);
        amount = bounded(amount, 1, 1e18);
        donated[address(token)] += amount;
        token.mint(address(arrival), amount);
    }

    /// @dev A gift never gets less, and nothing else is ever there. Only of a token that taxes transfers does the bridge
    /// tell of more than has arrived: a gift then makes up for the tax, and is no gift any more.
    function keepsNothing() private {
        for (uint256 i; i < tokens_.length; ++i) {
            (address token, uint256 held) = (address(tokens_[i]), tokens_[i].balanceOf(address(arrival)));
            if (i == TAXED && held < donated[token]) donated[token] = held;
            equal(held, donated[token], "of the Receiver");
        }
    }

    /// @dev None to two calls.
    function hostile(uint256 seed) private view returns (Operation[] memory made) {
        made = new Operation[](seed % 3);
        for (uint256 i; i < made.length; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            (address target, bytes memory data) = weapon(seed >> 64);
            address token = seed >> 124 & 1 == 0 ? NATIVE : address(any(seed >> 112));
            uint256 amount = seed >> 128 & 1 == 0 ? ALL : (seed >> 136) % 1e12;
            made[i] = Operation(Kind(seed % 8 < 6 ? 0 : 3), target, place(seed >> 96), token, amount, 0, data);
        }
    }

    function weapon(uint256 seed) private view returns (address, bytes memory) {
        address token = address(any(seed >> 4));
        uint256 which = seed % 8;
        if (which == 0) return (token, abi.encodeCall(Token.approve, (stranger, ALL)));
        if (which == 1) return (token, abi.encodeCall(Token.transferFrom, (victim, stranger, 1)));
        if (which == 2) return (token, abi.encodeCall(Token.transferFrom, (address(arrival), stranger, 1)));
        if (which == 3) return (address(arrival), abi.encodeCall(IReceiver.complete, (token, 1, plain())));
        if (which == 4) return (address(spoke), abi.encodeCall(Spoke.tell, (token, 1, address(arrival), hex"00")));
        if (which == 5) return (address(attacker), abi.encodeCall(Attacker.attack, ()));
        if (which == 6) return (address(router), swappingAll(token, address(any(seed >> 12))).data);
        SwapTerms memory terms = SwapTerms(stranger, stranger, token, NATIVE, 0);
        return (address(executor), abi.encodeCall(executor.executeSwap, (terms, tokens(token), new Operation[](0))));
    }

    function plain() private view returns (Message memory) {
        return message(address(tokenB), 1, new Operation[](0));
    }

    function place(uint256 seed) private view returns (address) {
        address[8] memory places = [
            address(router),
            address(spoke),
            address(attacker),
            address(arrival),
            address(executor),
            address(hooked),
            stranger,
            receiver
        ];
        return places[seed % places.length];
    }
}
