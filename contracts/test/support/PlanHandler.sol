// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Kind, Operation, Order, SwapTerms} from "../../src/Types.sol";
import {PlanMaker} from "./PlanMaker.sol";
import {Token} from "./Tokens.sol";
import {Trick} from "./TradingPools.sol";

/// @dev Plans of any bytes and by anybody, with pools that are honest, lie, or are none: what they may move, and what
/// they leave behind. A wallet swaps through the same pools, a victim has only approved the Diamond.
contract PlanHandler is PlanMaker {
    uint256 private constant MOST = 4000;

    address public owner = address(uint160(uint256(keccak256("owner"))));

    uint256 public trades;
    uint256 public refusals;
    uint256 public swaps;

    function contracts() external view returns (address, address) {
        return (address(diamond), address(executor));
    }

    function counts() external view returns (uint256 tokens_, uint256 places_) {
        return (honest.length, places.length);
    }

    /// @dev A stranger runs a plan with what he sent, beside what others left there.
    function strike(uint256 seed, uint256 scheme, uint256 donation) external {
        (seed, donation) = (_dice(seed), _dice(donation));
        _prepare(seed);
        address input = seed & 15 == 0 ? _named(seed >> 8) : address(honest[(seed >> 8) % honest.length]);
        uint256 amount = 1 + (seed >> 24) % MOST;
        uint256 value = _fund(input, amount, donation);
        Operation memory operation = Operation(Kind.Pools, NATIVE, NATIVE, input, amount, 0, "");
        address output;
        (operation.data, output) = _plan(scheme, input);
        SwapTerms memory terms = SwapTerms(owner, owner, input, output, seed >> 40 & 1);
        uint256[] memory had = _holdings();
        vm.prank(stranger);
        try executor.executeSwap{value: value}(terms, new address[](0), list(operation)) {
            had[honest.length] += value;
            _movedNoMore(had, input, amount);
            _isUnallowed();
            ++trades;
        } catch {
            ++refusals;
        }
        if (seed >> 48 & 7 == 0) _harvest();
    }

    /// @dev A wallet's order keeps its minimum, whoever is among its pools.
    function swap(uint256 seed, uint256 scheme) external {
        seed = _dice(seed);
        _prepare(seed);
        address input = address(honest[(seed >> 8) % honest.length]);
        uint256 amount = 1 + (seed >> 24) % MOST;
        Operation memory operation = Operation(Kind.Pools, NATIVE, NATIVE, input, amount, 0, "");
        address output;
        (operation.data, output) = _plan(scheme, input);
        Order memory o = order(input, output, amount, 1 + (seed >> 40) % amount);
        uint256 before = _has(output, receiver);
        uint256 had = Token(input).balanceOf(wallet);
        vm.prank(wallet);
        try diamond.swap(o, noFees(), list(operation)) returns (uint256 gained) {
            check(gained >= o.minOutput, "at least the minimum");
            if (_isHonest(output)) equal(_has(output, receiver) - before, gained, "the receiver's gain");
            check(Token(input).balanceOf(wallet) + amount >= had, "not more than the order says");
            _isUnallowed();
            ++swaps;
        } catch {
            equal(Token(input).balanceOf(wallet), had, "nothing was taken");
            ++refusals;
        }
    }

    /// @dev Nobody is awaited while nothing runs.
    function knock(uint256 seed) external {
        chameleon.teach(seed, NATIVE);
        check(!chameleon.ask(seed) && !friend.ask(seed >> 32), "a callback of nobody");
        vm.prank(stranger);
        try executor.unlockCallback(abi.encode(seed)) {
            check(false, "an unlocking of nobody");
        } catch {}
    }

    /// @dev What hooks there are, and how the pools lie.
    function _prepare(uint256 seed) private {
        chameleon.teach(_dice(seed ^ 1), NATIVE);
        friend.teach(_dice(seed ^ 2), NATIVE);
        address[4] memory heard = [address(executor), address(pool), address(manager), address(exchange)];
        hooked.listen(heard[(seed >> 56) % 4], seed >> 60 & 1 == 0 ? address(chameleon) : address(0));
        uint256 trick = (seed >> 64) % 9;
        pool.play(Trick(seed >> 72 & 7 == 0 ? trick : 0), onward);
        manager.play(Trick(seed >> 72 & 7 == 1 ? trick : 0));
        exchange.play(Trick(seed >> 72 & 7 == 2 ? trick : 0));
    }

    /// @dev The input of a stranger, and what somebody else left there besides.
    function _fund(address input, uint256 amount, uint256 donation) private returns (uint256 value) {
        bool same = donation >> 80 & 1 == 0 && input != NATIVE && _isHonest(input);
        Token other = same ? Token(input) : honest[donation % honest.length];
        if (donation >> 8 & 1 == 0) other.mint(address(executor), (donation >> 16) % MOST);
        if (donation >> 12 & 15 == 0) vm.deal(address(executor), address(executor).balance + (donation >> 32) % MOST);
        if (input != NATIVE && _isHonest(input)) Token(input).mint(address(executor), amount);
        // What is beyond the plan's amount is a fee that an upstream would be paid.
        return (input == NATIVE ? amount : 0) + (donation >> 64 & 3 == 0 ? (donation >> 72) % MOST : 0);
    }

    function _isHonest(address token) private view returns (bool) {
        for (uint256 i; i < honest.length; ++i) {
            if (address(honest[i]) == token) return true;
        }
        return token == NATIVE;
    }

    /// @dev Of what is no token nobody has anything.
    function _has(address token, address account) private view returns (uint256) {
        if (token == NATIVE) return account.balance;
        (bool success, bytes memory said) = token.staticcall(abi.encodeCall(Token.balanceOf, (account)));
        return success && said.length >= 32 ? abi.decode(said, (uint256)) : 0;
    }

    /// @dev What the Executor and who gets its leftovers have of every token, and of native.
    function _holdings() private view returns (uint256[] memory had) {
        had = new uint256[](honest.length + 1);
        for (uint256 i; i < honest.length; ++i) {
            had[i] = honest[i].balanceOf(address(executor)) + honest[i].balanceOf(owner);
        }
        had[honest.length] = address(executor).balance + owner.balance;
    }

    function _movedNoMore(uint256[] memory had, address input, uint256 amount) private view {
        uint256[] memory has = _holdings();
        for (uint256 i; i < had.length; ++i) {
            address token = i == honest.length ? NATIVE : address(honest[i]);
            check(has[i] + (token == input ? amount : 0) >= had[i], "more was moved than the amount");
        }
    }

    /// @dev Neither a token of ours nor one of theirs keeps an allowance, but one that lies about it.
    function _isUnallowed() private view {
        address[6] memory spenders =
            [address(chameleon), address(friend), address(exchange), address(vault), address(stake), address(pool)];
        for (uint256 i; i < honest.length; ++i) {
            for (uint256 k; k < 3; ++k) {
                equal(honest[i].allowance(address(executor), spenders[k]), 0, "an allowance");
            }
        }
        for (uint256 k = 3; k < spenders.length; ++k) {
            equal(tokenB.allowance(address(executor), spenders[k]), 0, "an allowance of B");
        }
        if (!chameleon.lies()) equal(chameleon.allowed(address(executor), chameleon.approved()), 0, "a foreign one");
        if (!friend.lies()) equal(friend.allowed(address(executor), friend.approved()), 0, "a friend's");
    }

    /// @dev Whoever was given something tries it, with tokens in the Executor.
    function _harvest() private {
        uint256 before = chameleon.taken() + friend.taken();
        chameleon.harvest();
        friend.harvest();
        equal(chameleon.taken() + friend.taken(), before, "taken afterwards");
    }
}
