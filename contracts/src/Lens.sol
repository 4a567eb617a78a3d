// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Reads whole pools in one call of a node
/// @notice It is never deployed. Either a node runs its code at an address by override, or it runs the constructor, which
/// always reverts with what was read: neither leaves anything on the chain.
/// @dev Asked and answered in packed form, which src/rhumbline/liquidity/lens.py writes and reads. A record asks for a
/// pool; its first byte is its flavour.
/// 0, reads: their number (1), then for each: contract (20), words of answer (1), length of calldata (1), calldata.
///    Answered: 1 and the words of all reads, or 0 where one of them fails, answers less, or needs more gas than a pool
///    with honest parts does: some have parts of strangers.
/// 3, a pool with ticks that answers as Uniswap V3's: contract (20), nothing (32), tick spacing (3), reach (2), first
///    word (2), last word (2). 4, one of V4's manager: manager (20), pool ID (32), and the same.
///    The ticks of the bitmap words first to last are read if the price's own is among them, and `reach` words on each
///    side of that anyhow. Answered: 0 where it does not answer as its kind does, else 1, square root of the price (20),
///    tick (3), liquidity (16), whether it is unlocked (1), two numbers (3, 3: tick spacing and fee of V3, protocol fee and fee
///    of V4), first and last word (2, 2), number of ticks (2), and of each the tick (3) and its net liquidity (16).
contract Lens {
    uint256 private constant READ_GAS = 400_000;
    uint256 private constant RECORD = 62;
    uint256 private constant TICK = 19;
    int256 private constant MAX_TICK = 887272;
    uint256 private constant V4 = 4;
    uint256 private constant SLOT0 = 0x3850c7bd;
    uint256 private constant LIQUIDITY = 0x1a686502;
    uint256 private constant TICK_SPACING = 0xd0c93a7c;
    uint256 private constant FEE = 0xddca3f43;
    uint256 private constant TICK_BITMAP = 0x5339c296;
    uint256 private constant TICKS = 0xf30dba93;
    uint256 private constant EXTSLOAD = 0x1e2eaeaf;
    uint256 private constant POOLS_SLOT = 6;

    /// @dev A pool with ticks: `slot` is where V4's manager keeps it.
    struct Ticked {
        uint256 flavour;
        address place;
        uint256 slot;
        int256 spacing;
        int256 reach;
        int256 first;
        int256 last;
    }

    /// @dev Where the next record is, and where the answer ends.
    struct Cursor {
        uint256 place;
        uint256 end;
    }

    constructor(bytes memory asked) {
        bytes memory answer = _read(asked);
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    fallback(bytes calldata asked) external returns (bytes memory) {
        return _read(asked);
    }

    /// @dev The answer grows where memory ends, so nothing is allocated while it is written.
    function _read(bytes memory asked) private view returns (bytes memory answer) {
        Ticked memory pool;
        Cursor memory cursor;
        assembly ("memory-safe") {
            answer := mload(0x40)
            mstore(add(cursor, 0x20), add(answer, 0x20))
        }
        while (cursor.place < asked.length) {
            if (uint8(asked[cursor.place]) == 0) {
                _reads(asked, cursor);
            } else {
                _record(pool, asked, cursor.place);
                cursor.end = _ticked(pool, cursor.end);
                cursor.place += RECORD;
            }
        }
        uint256 end = cursor.end;
        assembly ("memory-safe") {
            mstore(answer, sub(end, add(answer, 0x20)))
            mstore(0x40, and(add(end, 0x3f), not(0x1f)))
        }
    }

    function _reads(bytes memory asked, Cursor memory cursor) private view {
        uint256 start = cursor.end;
        uint256 left = uint8(asked[cursor.place + 1]);
        cursor.place += 2;
        cursor.end = _put(start, 1, 1);
        bool whole = true;
        for (; left != 0; --left) {
            whole = _readOne(asked, cursor) && whole;
        }
        if (!whole) cursor.end = _put(start, 0, 1);
    }

    /// @dev Makes one call, and moves on by what was asked and what is answered.
    function _readOne(bytes memory asked, Cursor memory cursor) private view returns (bool ok) {
        uint256 place = cursor.place + 22;
        uint256 size = 32 * _number(asked, place - 2, 1);
        uint256 length = _number(asked, place - 1, 1);
        uint256 target = _number(asked, place - 22, 20);
        uint256 end = cursor.end;
        assembly ("memory-safe") {
            ok := staticcall(READ_GAS, target, add(add(asked, 0x20), place), length, 0, 0)
            ok := and(ok, iszero(lt(returndatasize(), size)))
            if ok { returndatacopy(end, 0, size) }
        }
        cursor.place = place + length;
        cursor.end = end + size;
    }

    function _record(Ticked memory pool, bytes memory asked, uint256 place) private pure {
        pool.flavour = _number(asked, place, 1);
        pool.place = address(uint160(_number(asked, place + 1, 20)));
        pool.slot = _hash(_number(asked, place + 21, 32), POOLS_SLOT);
        pool.spacing = int24(uint24(_number(asked, place + 53, 3)));
        pool.reach = int16(uint16(_number(asked, place + 56, 2)));
        pool.first = int16(uint16(_number(asked, place + 58, 2)));
        pool.last = int16(uint16(_number(asked, place + 60, 2)));
    }

    function _ticked(Ticked memory pool, uint256 start) private view returns (uint256) {
        (int256 tick, uint256 end) = pool.flavour == V4 ? _nowV4(pool, start) : _nowV3(pool.place, start);
        if (end == start) return _put(start, 0, 1);
        _span(pool, tick);
        end = _put(_put(end, uint256(pool.first), 2), uint256(pool.last), 2);
        uint256 counted = end;
        uint256 count;
        end += 2;
        for (int256 word = pool.first; word <= pool.last; ++word) {
            (bool ok, uint256 bits) = _word(pool, word);
            uint256 before = end;
            if (ok) (ok, end) = _ticks(pool, word, bits, end);
            if (!ok) return _put(start, 0, 1);
            count += (end - before) / TICK;
        }
        assembly ("memory-safe") {
            mstore(counted, or(shl(240, count), and(mload(counted), sub(shl(240, 1), 1))))
        }
        return end;
    }

    /// @dev Writes what the pool is but for its ticks; the end stays where the pool does not answer. Whether it is unlocked is
    /// the last of slot0's words, of which forks have six or seven.
    function _nowV3(address pool, uint256 start) private view returns (int256, uint256) {
        (bool ok, uint256 price, uint256 tick) = _ask(pool, SLOT0, 0, 192);
        if (!ok) return (0, start);
        uint256 unlocked;
        assembly ("memory-safe") {
            returndatacopy(0, sub(returndatasize(), 0x20), 0x20)
            unlocked := mload(0)
        }
        uint256 end = _put(_put(_put(start, 1, 1), price, 20), tick, 3);
        uint256 number;
        (ok, number,) = _ask(pool, LIQUIDITY, 0, 32);
        end = _put(_put(end, number, 16), unlocked, 1);
        bool also;
        (also, number,) = _ask(pool, TICK_SPACING, 0, 32);
        end = _put(end, number, 3);
        ok = ok && also;
        (also, number,) = _ask(pool, FEE, 0, 32);
        return ok && also ? (int256(tick), _put(end, number, 3)) : (int256(0), start);
    }

    /// @dev Slots as StateLibrary.sol of v4-core has them: slot0 first, liquidity fourth. V4 has no lock of a pool.
    function _nowV4(Ticked memory pool, uint256 start) private view returns (int256, uint256) {
        (bool ok, uint256 slot0) = _load(pool, pool.slot);
        (bool second, uint256 liquidity) = _load(pool, pool.slot + 3);
        if (!ok || !second) return (0, start);
        uint256 end = _put(_put(_put(start, 1, 1), slot0, 20), slot0 >> 160, 3);
        end = _put(_put(end, liquidity, 16), 1, 1);
        return (int24(uint24(slot0 >> 160)), _put(_put(end, slot0 >> 184, 3), slot0 >> 208, 3));
    }

    function _ticks(Ticked memory pool, int256 word, uint256 bits, uint256 end) private view returns (bool, uint256) {
        for (int256 bit; bits != 0; ++bit) {
            while (bits & 0xffff == 0) {
                bits >>= 16;
                bit += 16;
            }
            if (bits & 1 == 1) {
                int256 tick = ((word << 8) + bit) * pool.spacing;
                (bool ok, uint256 net) = _net(pool, tick);
                if (!ok) return (false, end);
                end = _put(_put(end, uint256(tick), 3), net, 16);
            }
            bits >>= 1;
        }
        return (true, end);
    }

    function _word(Ticked memory pool, int256 word) private view returns (bool ok, uint256 bits) {
        if (pool.flavour == V4) return _load(pool, _hash(uint256(word), pool.slot + 5));
        (ok, bits,) = _ask(pool.place, TICK_BITMAP, uint256(word), 32);
    }

    /// @dev V4 packs gross and net liquidity into one slot, the net above.
    function _net(Ticked memory pool, int256 tick) private view returns (bool ok, uint256 net) {
        if (pool.flavour == V4) {
            (ok, net) = _load(pool, _hash(uint256(tick), pool.slot + 4));
            return (ok, net >> 128);
        }
        (ok,, net) = _ask(pool.place, TICKS, uint256(tick), 64);
    }

    function _hash(uint256 first, uint256 second) private pure returns (uint256 slot) {
        assembly ("memory-safe") {
            mstore(0, first)
            mstore(0x20, second)
            slot := keccak256(0, 0x40)
        }
    }

    function _load(Ticked memory pool, uint256 slot) private view returns (bool ok, uint256 value) {
        (ok, value,) = _ask(pool.place, EXTSLOAD, slot, 32);
    }

    /// @dev The words asked for, and those around the price, within those that can have ticks.
    function _span(Ticked memory pool, int256 tick) private pure {
        int256 centre = _wordOf(tick, pool.spacing);
        (int256 first, int256 last) = (pool.first, pool.last);
        if (centre < first || centre > last) first = last = centre;
        if (centre - pool.reach < first) first = centre - pool.reach;
        if (centre + pool.reach > last) last = centre + pool.reach;
        int256 lowest = _wordOf(-MAX_TICK, pool.spacing);
        int256 highest = _wordOf(MAX_TICK, pool.spacing);
        pool.first = first < lowest ? lowest : first;
        pool.last = last > highest ? highest : last;
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

    /// @dev Reads a number of `size` bytes.
    function _number(bytes memory data, uint256 place, uint256 size) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, mul(8, size)), mload(add(add(data, 0x20), place)))
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
