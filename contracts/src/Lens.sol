// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Reads whole pools of Uniswap's kinds in one call of a node
/// @notice It is never deployed. Either a node runs its code at an address by override, or it runs the constructor, which
/// always reverts with what was read: neither leaves anything on the chain.
/// @dev Asked and answered in packed form, which src/rhumbline/liquidity/lens.py writes and reads. Asked, a pool:
/// address 20, kind 1 (2 or 3), tick spacing 3, reach 2, first word 2, last word 2. Of a V3 pool the ticks of the bitmap
/// words first to last are read if the price's own is among them, and `reach` words on each side of that anyhow. Answered, a pool: 0 where
/// it does not answer as its kind does, else 1 and its state.
contract Lens {
    uint256 private constant RECORD = 30;
    uint256 private constant TICK = 19;
    int256 private constant MAX_TICK = 887272;
    uint256 private constant GET_RESERVES = 0x0902f1ac;
    uint256 private constant SLOT0 = 0x3850c7bd;
    uint256 private constant LIQUIDITY = 0x1a686502;
    uint256 private constant TICK_BITMAP = 0x5339c296;
    uint256 private constant TICKS = 0xf30dba93;

    constructor(bytes memory asked) {
        bytes memory answer = _read(asked);
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    fallback(bytes calldata asked) external returns (bytes memory) {
        return _read(asked);
    }

    function _read(bytes memory asked) private view returns (bytes memory answer) {
        uint256 end;
        assembly ("memory-safe") {
            answer := mload(0x40)
            end := add(answer, 0x20)
        }
        for (uint256 place; place < asked.length; place += RECORD) {
            uint256 record;
            assembly ("memory-safe") {
                record := mload(add(add(asked, 0x20), place))
            }
            end = uint8(record >> 88) == 2 ? _pair(address(uint160(record >> 96)), end) : _concentrated(record, end);
        }
        assembly ("memory-safe") {
            mstore(answer, sub(end, add(answer, 0x20)))
            mstore(0x40, and(add(end, 0x3f), not(0x1f)))
        }
    }

    function _pair(address pool, uint256 end) private view returns (uint256) {
        (bool ok, uint256 reserve0, uint256 reserve1) = _ask(pool, GET_RESERVES, 0, 64);
        if (!ok) return _put(end, 0, 1);
        return _put(_put(_put(end, 1, 1), reserve0, 14), reserve1, 14);
    }

    function _concentrated(uint256 record, uint256 start) private view returns (uint256) {
        (int256 tick, uint256 end) = _now(address(uint160(record >> 96)), start);
        if (end == start) return _put(start, 0, 1);
        (int256 first, int256 last) = _span(record, tick);
        end = _put(_put(end, uint256(first), 2), uint256(last), 2);
        uint256 counted = end;
        uint256 count;
        end += 2;
        for (int256 word = first; word <= last; ++word) {
            (bool ok, uint256 bits,) = _ask(address(uint160(record >> 96)), TICK_BITMAP, uint256(word), 32);
            uint256 before = end;
            if (ok) (ok, end) = _ticks(record, word, bits, end);
            if (!ok) return _put(start, 0, 1);
            count += (end - before) / TICK;
        }
        assembly ("memory-safe") {
            mstore(counted, or(shl(240, count), and(mload(counted), sub(shl(240, 1), 1))))
        }
        return end;
    }

    /// @dev Writes price, tick, liquidity and whether it is unlocked; the end stays where the pool does not answer.
    function _now(address pool, uint256 start) private view returns (int256, uint256) {
        (bool ok, uint256 price, uint256 tick) = _ask(pool, SLOT0, 0, 224);
        if (!ok) return (0, start);
        uint256 unlocked;
        assembly ("memory-safe") {
            returndatacopy(0, 0xc0, 0x20)
            unlocked := mload(0)
        }
        uint256 liquidity;
        (ok, liquidity,) = _ask(pool, LIQUIDITY, 0, 32);
        if (!ok) return (0, start);
        uint256 end = _put(_put(_put(start, 1, 1), price, 20), tick, 3);
        return (int256(tick), _put(_put(end, liquidity, 16), unlocked, 1));
    }

    function _ticks(uint256 record, int256 word, uint256 bits, uint256 end) private view returns (bool, uint256) {
        for (int256 bit; bits != 0; ++bit) {
            while (bits & 0xffff == 0) {
                bits >>= 16;
                bit += 16;
            }
            if (bits & 1 == 1) {
                int256 tick = ((word << 8) + bit) * int24(uint24(record >> 64));
                (bool ok,, uint256 net) = _ask(address(uint160(record >> 96)), TICKS, uint256(tick), 64);
                if (!ok) return (false, end);
                end = _put(_put(end, uint256(tick), 3), net, 16);
            }
            bits >>= 1;
        }
        return (true, end);
    }

    /// @dev The words asked for, and those around the price, within those that can have ticks.
    function _span(uint256 record, int256 tick) private pure returns (int256 first, int256 last) {
        int256 spacing = int24(uint24(record >> 64));
        int256 centre = _wordOf(tick, spacing);
        int256 reach = int16(uint16(record >> 48));
        first = int16(uint16(record >> 32));
        last = int16(uint16(record >> 16));
        if (centre < first || centre > last) first = last = centre;
        if (centre - reach < first) first = centre - reach;
        if (centre + reach > last) last = centre + reach;
        int256 lowest = _wordOf(-MAX_TICK, spacing);
        int256 highest = _wordOf(MAX_TICK, spacing);
        if (first < lowest) first = lowest;
        if (last > highest) last = highest;
    }

    function _wordOf(int256 tick, int256 spacing) private pure returns (int256) {
        int256 floored = tick / spacing;
        if (tick < 0 && tick % spacing != 0) --floored;
        return floored >> 8;
    }

    /// @dev Calls a view function with one argument, which those without ignore; `least` bytes of answer are wanted.
    function _ask(address pool, uint256 selector, uint256 argument, uint256 least)
        private
        view
        returns (bool ok, uint256 first, uint256 second)
    {
        assembly ("memory-safe") {
            mstore(0, shl(224, selector))
            mstore(4, argument)
            ok := and(iszero(lt(returndatasize(), least)), staticcall(gas(), pool, 0, 0x24, 0, 0x40))
            first := mload(0)
            second := mload(0x20)
        }
    }

    /// @dev Writes the last `size` bytes of a value where the answer ends, and gives the new end.
    function _put(uint256 end, uint256 value, uint256 size) private pure returns (uint256) {
        assembly ("memory-safe") {
            mstore(end, shl(sub(256, mul(8, size)), value))
        }
        return end + size;
    }
}
