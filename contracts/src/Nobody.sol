// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The addresses that nobody can sign as, so that what is paid to them is lost
/// @dev Up to 0xffff: 0, precompiles, system contracts, and 0x…dEaD, where most tokens are burnt. Of the longer ones
/// those by which tokens are burnt, or native assets and "nobody" are meant: dead addresses as published by Santiment
/// (https://academy.santiment.net/labels/dead-address, read 2026-11) but for repeated digits that examples use as
/// wallets, and the marker of https://eips.ethereum.org/EIPS/eip-7528. The service's list is
/// src/rhumbline/domain/nobody.py; a test compares the two.
library Nobody {
    uint160 internal constant LAST_RESERVED = 0xffff;
    address private constant DEAD = 0xdEad000000000000000000000000000000000000;
    address private constant DEAD_420 = 0xdEAD000000000000000042069420694206942069;
    address private constant ALL_DEAD = 0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD;
    address private constant NATIVE_MARKER = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
    address private constant ALL_ONES = 0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF;

    function has(address account) internal pure returns (bool) {
        return uint160(account) <= LAST_RESERVED || account == DEAD || account == DEAD_420 || account == ALL_DEAD
            || account == NATIVE_MARKER || account == ALL_ONES;
    }
}
