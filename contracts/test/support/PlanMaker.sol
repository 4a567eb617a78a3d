// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {HopKind} from "../../src/Types.sol";
import {Chameleon} from "./Chameleon.sol";
import {Plans} from "./Plans.sol";
import {CallbackToken, Token} from "./Tokens.sol";
import {PermitFork} from "./Venues.sol";

/// @dev Makes plans at random: through pools that are honest, lie, or are none.
abstract contract PlanMaker is Plans {
    uint256 public constant HELD = 1e15;

    Chameleon public chameleon;
    Chameleon public friend;
    CallbackToken public hooked;
    Token[] public honest;
    address[] public places;
    address[] public names;
    address public victim = address(uint160(uint256(keccak256("victim"))));

    constructor() {
        setUp();
        vm.etch(PERMIT2, address(new PermitFork()).code);
        hooked = new CallbackToken();
        honest = [tokenA, tokenB, tokenC, Token(wrapped), Token(vault), Token(stake), hooked];
        chameleon = new Chameleon(executor, diamond, honest);
        friend = new Chameleon(executor, diamond, honest);
        chameleon.befriend(friend);
        friend.befriend(chameleon);
        places = [
            address(chameleon),
            address(friend),
            address(pair),
            address(pool),
            address(onward),
            address(manager),
            address(exchange),
            address(vault),
            address(stake),
            address(wrapped),
            address(tokenA),
            address(hooked),
            PERMIT2,
            address(diamond),
            address(executor),
            stranger,
            address(4),
            victim
        ];
        names = [address(chameleon), address(friend), NATIVE, PERMIT2, address(diamond), address(executor), stranger];
        vm.deal(address(wrapped), 1e38);
        vm.deal(address(chameleon), 1e30);
        vm.deal(address(friend), 1e30);
        vm.deal(stranger, 1e30);
        for (uint256 i; i < honest.length; ++i) {
            honest[i].mint(victim, HELD);
            honest[i].mint(wallet, 1e30);
            allow(honest[i], victim, address(diamond), ALL);
            allow(honest[i], wallet, address(diamond), ALL);
            for (uint256 k; k < 9; ++k) {
                honest[i].mint(places[k], 1e30);
            }
            names.push(address(honest[i]));
        }
        pair.sync();
        vm.deal(address(manager), 1e30);
    }

    /// @dev A walk of one to four steps from the input on; some have two hops, and some bytes are foreign.
    function _plan(uint256 scheme, address input) internal returns (bytes memory plan, address token) {
        scheme = _dice(scheme);
        uint256 steps = 1 + (scheme & 3);
        bytes memory hops;
        plan = abi.encodePacked(uint8(steps + 1), input);
        token = input;
        for (uint8 i; i < steps; ++i) {
            scheme = _dice(scheme);
            bytes memory made;
            (made, token) = _hops(token, i, scheme);
            hops = bytes.concat(hops, made);
            plan = bytes.concat(plan, bytes20(token));
        }
        plan = bytes.concat(plan, hops);
        if (scheme >> 40 & 31 == 0) plan[scheme % plan.length] ^= bytes1(uint8(1 << (scheme >> 48 & 7)));
    }

    function _hops(address token, uint8 sold, uint256 dice) private returns (bytes memory hops, address bought) {
        HopKind kind;
        address where;
        (kind, where, bought) = _step(token, dice >> 128);
        hops = _hop(kind, dice & 1 == 0 ? 0 : uint32(dice >> 8), sold, where, dice);
        if (dice & 6 == 0) hops = bytes.concat(hops, _hop(kind, 0, sold, where, dice));
    }

    function _hop(HopKind kind, uint32 share, uint8 sold, address where, uint256 dice)
        private
        pure
        returns (bytes memory)
    {
        bytes memory place = "";
        if (kind == HopKind.V4) {
            place = abi.encodePacked(where, uint24(3000), int24(60), address(0));
        } else if (kind == HopKind.Pair) {
            place = abi.encodePacked(where, dice & 96 == 0 ? uint16(dice >> 64) : 9970);
        } else if (kind == HopKind.Exchange || kind == HopKind.CryptoExchange) {
            place = abi.encodePacked(where, uint16(256));
        } else if (kind < HopKind.Wrap) {
            place = abi.encodePacked(where);
        }
        return hop(kind, share, sold, sold + 1, place);
    }

    /// @dev Where one may go from a token: to a pool that fits, to one that only says so, or anywhere.
    function _step(address token, uint256 dice) private returns (HopKind, address, address) {
        if (dice & 3 == 0) {
            Chameleon who = dice & 4 == 0 ? chameleon : friend;
            address wanted = _named(dice >> 8);
            who.teach(_dice(dice), wanted);
            HopKind[6] memory kinds = [
                HopKind.Pair,
                HopKind.StablePair,
                HopKind.Concentrated,
                HopKind.V4,
                HopKind.Exchange,
                HopKind.CryptoExchange
            ];
            return (kinds[(dice >> 16) % 6], address(who), wanted);
        }
        if (dice & 31 == 1) {
            return (HopKind((dice >> 8) % 12), places[(dice >> 16) % places.length], _named(dice >> 24));
        }
        return _fitting(token, dice >> 8);
    }

    function _fitting(address token, uint256 dice) private view returns (HopKind, address, address) {
        address[4] memory listed = [NATIVE, address(tokenA), address(tokenB), address(tokenC)];
        if (token == address(vault)) return (HopKind.Redeem, NATIVE, address(tokenB));
        if (token == address(stake)) return (HopKind.UnwrapStaked, NATIVE, address(tokenB));
        if (token == address(wrapped)) return (HopKind.Unwrap, NATIVE, NATIVE);
        if (token == NATIVE && dice & 1 == 0) return (HopKind.Wrap, NATIVE, address(wrapped));
        if (dice & 14 == 0) return (HopKind.V4, address(manager), listed[(dice >> 8) % 4]);
        if (token == address(tokenC)) return (HopKind.Concentrated, address(onward), address(tokenB));
        address other = token == address(tokenA) ? address(tokenB) : address(tokenA);
        if (dice & 48 == 0) return (HopKind.Concentrated, address(pool), other);
        if (dice & 48 == 16) return (dice & 64 == 0 ? HopKind.Pair : HopKind.StablePair, address(pair), other);
        if (token != address(tokenB)) return (HopKind.Exchange, address(exchange), other);
        if (dice & 48 == 32) return (HopKind.Deposit, NATIVE, address(vault));
        return (HopKind.WrapStaked, NATIVE, address(stake));
    }

    function _named(uint256 seed) internal view returns (address) {
        return seed & 128 == 0 ? address(honest[seed % honest.length]) : names[seed % names.length];
    }

    /// @dev Forge likes some numbers better than others.
    function _dice(uint256 seed) internal pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed)));
    }
}
