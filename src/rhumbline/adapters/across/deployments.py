"""The contracts of Across by chain.

Source: https://github.com/across-protocol/contracts, ``broadcast/deployed-addresses.json`` of 2026-06-11, read
2026-11-21 and again 2026-11-22, when all pins agreed; Avalanche's was deployed anew on that day in June. Chains whose
addresses are neither EVM's nor Solana's are left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from rhumbline.gateways.evm.address import checksummed, is_address

SOLANA = 1_000_000_001
"""Solana, as the service numbers it."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """Across on one chain: its number there, and the pinned SpokePool (EIP-55, or base58 of the program on Solana).

    ``delivers_native`` is False if a fill of the wrapped native token may arrive in either form (zkSync and Lens, whose
    accounts are contracts): such outputs are not served there.
    """

    chain_id: int
    spoke_pool: str
    delivers_native: bool = True


def in_one_form(deployment: Deployment) -> Deployment:
    """Return the deployment with its pool in EIP-55 form, in which nodes' logs are read."""
    pool = deployment.spoke_pool
    return replace(deployment, spoke_pool=checksummed(pool)) if is_address(pool) else deployment


def _deployments() -> dict[int, Deployment]:
    pools = {
        1: "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5",
        10: "0x6f26Bf09B1C792e3228e5467807a900A503c0281",
        56: "0x4e8E101924eDE233C13e2D8622DC8aED2872d505",
        130: "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64",
        137: "0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096",
        143: "0xd2ecb3afe598b746F8123CaE365a598DA831A449",
        480: "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64",
        999: "0x35E63eA3eb0fb7A3bc543C71FB66412e1F6B0E04",
        1135: "0x9552a0a6624A23B848060AE5901659CDDa1f83f8",
        1868: "0x3baD7AD0728f9917d1Bf08af5782dCbD516cDd96",
        4326: "0x3Db06DA8F0a24A525f314eeC954fC5c6a973d40E",
        8453: "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64",
        9745: "0x50039fAEfebef707cFD94D6d462fE6D10B39207a",
        34443: "0x3baD7AD0728f9917d1Bf08af5782dCbD516cDd96",
        43114: "0xE0DB08B3F72931Dca2Ed7323a1053EaC42715bEe",
        42161: "0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A",
        57073: "0xeF684C38F94F48775959ECf2012D7E864ffb9dd4",
        59144: "0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75",
        81457: "0x2D509190Ed0172ba588407D4c2df918F955Cc6E1",
        534352: "0x3baD7AD0728f9917d1Bf08af5782dCbD516cDd96",
        7777777: "0x13fDac9F9b4777705db45291bbFF3c972c6d1d97",
    }
    accounts_are_contracts = {
        232: "0xb234cA484866c811d0e6D3318866F583781ED045",
        324: "0xE0B015E54d54fc84a6cB9B666099c46adE9335FF",
    }
    return {
        **{chain: Deployment(chain, pool) for chain, pool in pools.items()},
        **{chain: Deployment(chain, pool, delivers_native=False) for chain, pool in accounts_are_contracts.items()},
        SOLANA: Deployment(34_268_394_551_451, "DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru"),
    }


DEPLOYMENTS: Mapping[int, Deployment] = MappingProxyType(_deployments())
