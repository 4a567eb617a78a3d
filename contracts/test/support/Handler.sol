// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {BridgeOrder, Fee, Kind, Operation, Order, SwapTerms} from "../../src/Types.sol";
import {Setup} from "./Setup.sol";
import {CallbackToken, SilentToken, TaxToken, Token} from "./Tokens.sol";
import {Attacker, PermitFork, RightsKeeper, Router} from "./Venues.sol";

/// @dev Everybody who does something in the invariant tests: a wallet that swaps and bridges, donors, and a stranger
/// who tries to take what a victim has approved to the Diamond. The victim itself does nothing.
contract Handler is Setup {
    Token[] public tokens_;
    address public victim = address(uint160(uint256(keccak256("victim"))));
    Attacker public attacker;
    PermitFork public fork;
    CallbackToken public hooked;
    RightsKeeper public keeper;
    uint256 public constant HELD = 1e15;

    /// @dev What was ever given to one of the contracts without being asked for, by token and contract.
    mapping(address => mapping(address => uint256)) public donated;

    uint256 public swaps;
    uint256 public bridged;
    uint256 public refusals;
    uint256 public strikes;

    constructor() {
        setUp();
        attacker = new Attacker();
        fork = new PermitFork();
        keeper = new RightsKeeper(bytes4(keccak256("isApprovedForAll(address,address)")));
        hooked = new CallbackToken();
        tokens_ = [tokenA, tokenB, Token(new SilentToken()), Token(new TaxToken()), hooked, Token(wrapped)];
        for (uint256 i; i < tokens_.length; ++i) {
            Token token = tokens_[i];
            token.mint(wallet, 1e30);
            token.mint(address(router), 1e36);
            token.mint(victim, HELD * 2);
            token.mint(stranger, 1e18);
            uint256 surplus = token.balanceOf(victim) - HELD;
            vm.prank(victim);
            (bool success,) = address(token).call(abi.encodeCall(Token.transfer, (stranger, surplus)));
            check(success, "transfer");
            allow(token, wallet, address(diamond), ALL);
            allow(token, victim, address(diamond), ALL);
            allow(token, stranger, address(diamond), ALL);
        }
        vm.deal(wallet, 1e30);
        vm.deal(stranger, 1e30);
        vm.deal(victim, HELD);
        vm.deal(address(router), 1e36);
        // The wrapped tokens that were minted from nothing can be unwrapped all the same.
        vm.deal(address(wrapped), 1e38);
    }

    function tokenCount() external view returns (uint256) {
        return tokens_.length;
    }

    function contracts() external view returns (address, address) {
        return (address(diamond), address(executor));
    }

    function thief() external view returns (address) {
        return stranger;
    }

    /// @dev Everybody who might have been approved.
    function spenders() external view returns (address[10] memory) {
        return [
            address(router),
            address(bridge),
            address(attacker),
            address(fork),
            address(wrapped),
            address(diamond),
            address(executor),
            stranger,
            victim,
            wallet
        ];
    }

    function any(uint256 seed) private view returns (address) {
        uint256 which = seed % (tokens_.length + 1);
        return which == tokens_.length ? NATIVE : address(tokens_[which]);
    }

    /// @dev An honest swap with honest or refused fees: the receiver gets the minimum, or the wallet keeps everything.
    function swapHonestly(uint256 from, uint256 to, uint256 amount, uint256 minimum, uint256 fees) external {
        (address input, address output) = (any(from), any(to));
        if (input == output) output = any(to % (tokens_.length + 1) + 1);
        amount = bounded(amount, 100, 1e24);
        Order memory o = order(input, output, amount, bounded(minimum, 1, amount * 5 / 2));
        Fee[] memory taken = twoFees(fees % (amount / 10), fees % (amount / 11));
        uint256 net = amount - taken[0].amount - taken[1].amount;
        uint256 had = balance(input, wallet);
        uint256 before = balance(output, receiver);
        Operation[] memory made = list(
            input == NATIVE
                ? swapping(NATIVE, output, net)
                : amount % 2 == 0 ? swappingAll(input, output) : swappingHalf(input, output, net)
        );
        uint256 value = input == NATIVE ? amount : 0;
        vm.prank(wallet);
        try diamond.swap{value: value}(o, taken, made) returns (uint256 gained) {
            check(gained >= o.minOutput, "at least the minimum");
            equal(balance(output, receiver) - before, gained, "the receiver's gain");
            check(balance(input, wallet) + amount >= had, "not more than the order says");
            isClean(input, address(router));
            isClean(output, address(router));
            ++swaps;
        } catch {
            equal(balance(input, wallet), had, "nothing was taken");
            ++refusals;
        }
    }

    function bridgeHonestly(uint256 from, uint256 amount, uint256 part) external {
        address token = any(from);
        amount = bounded(amount, 100, 1e24);
        BridgeOrder memory o = transfer(token, amount);
        o.sentAmount = bounded(part, amount / 2, amount);
        uint256 before = balance(token, address(bridge));
        vm.prank(wallet);
        try diamond.bridge{value: token == NATIVE ? amount : 0}(o, noFees(), list(depositing(token, o.sentAmount))) {
            check(balance(token, address(bridge)) > before, "sent");
            isClean(token, address(bridge));
            ++bridged;
        } catch {
            ++refusals;
        }
    }

    function donate(uint256 which, uint256 amount, bool toDiamond) external {
        address token = any(which);
        address to = toDiamond ? address(diamond) : address(executor);
        amount = bounded(amount, 1, 1e20);
        donated[token][to] += amount;
        if (token == NATIVE) vm.deal(to, to.balance + amount);
        else Token(token).mint(to, amount);
    }

    /// @dev The attacker is told of transfers and tries to come in again.
    function setTrap(uint256 seed, uint256 what, bool swallow) external {
        address[5] memory places = [wallet, receiver, address(router), address(executor), service];
        hooked.listen(places[seed % 5], seed % 2 == 0 ? address(attacker) : address(0));
        (address target, bytes memory data) = weapon(what);
        attacker.load(target, data, swallow);
    }

    /// @dev Whatever a stranger can say to the Executor.
    function strikeExecutor(uint256 seed, uint256 value) external {
        SwapTerms memory terms = SwapTerms(stranger, stranger, any(seed >> 8), any(seed >> 16), seed >> 24 & 1);
        address[] memory sweep = new address[](1);
        sweep[0] = any(seed >> 32);
        vm.prank(stranger);
        try executor.executeSwap{value: value % 1e18}(terms, sweep, operations(seed)) {
            ++strikes;
        } catch {
            ++refusals;
        }
        countGifts(address(executor));
        countGifts(address(diamond));
    }

    /// @dev Whatever a stranger can say to the Diamond.
    function strikeDiamond(uint256 seed, uint256 amount) external {
        (address input, address output) = (any(seed >> 8), any(seed >> 16));
        Order memory o = order(input, output, amount % 1e12, 1);
        o.receiver = stranger;
        uint256 value = input == NATIVE ? o.inputAmount : 0;
        vm.prank(stranger);
        try diamond.swap{value: value}(o, oneFee(stranger, o.inputAmount / 7), operations(seed)) {
            ++strikes;
        } catch {
            ++refusals;
        }
        countGifts(address(executor));
    }

    /// @dev The market is allowed everything and takes half.
    function swappingHalf(address input, address output, uint256 net) private view returns (Operation memory) {
        bytes memory data = abi.encodeCall(Router.partialSwap, (input, net, output, address(executor)));
        return calling(address(router), input, ALL, data);
    }

    /// @dev Nothing of a token stays but what was donated, and nobody stays approved.
    function isClean(address token, address venue) private view {
        check(balance(token, address(diamond)) <= donated[token][address(diamond)], "left in the Diamond");
        check(balance(token, address(executor)) <= donated[token][address(executor)], "left in the Executor");
        if (token != NATIVE) equal(Token(token).allowance(address(executor), venue), 0, "left approved");
    }

    /// @dev What a stranger's own operations leave in a contract, unlisted for the sweep, is his gift. The Diamond
    /// cannot be paid through itself.
    function countGifts(address to) private {
        for (uint256 i; i <= tokens_.length; ++i) {
            address token = any(i);
            uint256 held = balance(token, to);
            if (held > donated[token][to]) donated[token][to] = held;
        }
    }

    /// @dev None to three of them; with none, a call to the Executor only sweeps.
    function operations(uint256 seed) private view returns (Operation[] memory made) {
        made = new Operation[](seed % 4);
        for (uint256 i; i < made.length; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            made[i] = operation(seed);
        }
    }

    function operation(uint256 seed) private view returns (Operation memory made) {
        (made.target, made.data) = weapon(seed >> 64);
        made.kind = Kind(seed % 16 < 10 ? 0 : seed % 4);
        if (made.kind != Kind.Call) made.target = place(seed >> 80);
        made.spender = place(seed >> 96);
        made.token = seed >> 124 & 1 == 0 ? NATIVE : any(seed >> 112);
        made.amount = seed >> 128 & 1 == 0 ? ALL : (seed >> 136) % 1e12;
        made.value = seed >> 132 & 3 == 0 ? (seed >> 144) % 1e12 : 0;
    }

    function place(uint256 seed) private view returns (address) {
        address[12] memory places = [
            address(router),
            address(bridge),
            address(attacker),
            address(fork),
            address(wrapped),
            address(diamond),
            address(executor),
            address(tokenA),
            address(hooked),
            PERMIT2,
            stranger,
            victim
        ];
        return places[seed % places.length];
    }

    /// @dev A call that would hurt, if it were made by the right one.
    function weapon(uint256 seed) private view returns (address target, bytes memory data) {
        address token = address(tokens_[(seed >> 4) % tokens_.length]);
        uint256 which = seed % 12;
        if (which == 0) return (token, abi.encodeCall(Token.approve, (stranger, ALL)));
        if (which == 1) return (token, abi.encodeCall(Token.transferFrom, (victim, stranger, 1)));
        if (which == 2) return (token, abi.encodeCall(Token.transfer, (stranger, 1)));
        if (which == 3) return (address(fork), abi.encodeCall(PermitFork.approve, (token, stranger, 1, 1)));
        if (which == 4) return (address(diamond), theft(token));
        if (which == 5) return (address(executor), sweeping(token));
        if (which == 6) return (address(attacker), abi.encodeCall(Attacker.attack, ()));
        if (which == 7) return (address(router), swappingAll(token, address(tokenB)).data);
        if (which == 8) return (address(router), swapping(token, address(tokenB), 100).data);
        if (which == 9) return (address(bridge), depositing(token, 100).data);
        if (which == 10) return (address(keeper), abi.encodeCall(RightsKeeper.give, (stranger)));
        return (place(seed >> 16), abi.encodeCall(Token.transferFrom, (victim, stranger, 1)));
    }

    function theft(address token) private view returns (bytes memory) {
        Order memory o = order(token, address(tokenB), 100, 1);
        o.receiver = stranger;
        return abi.encodeCall(diamond.swap, (o, noFees(), list(swappingAll(token, address(tokenB)))));
    }

    function sweeping(address token) private view returns (bytes memory) {
        SwapTerms memory terms = SwapTerms(stranger, stranger, token, address(tokenB), 0);
        return abi.encodeCall(executor.executeSwap, (terms, tokens(token), new Operation[](0)));
    }
}
