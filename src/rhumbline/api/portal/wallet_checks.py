"""Remarks on a fee wallet before it is set: whether it can be paid, where, and what could not be checked."""

import asyncio
from dataclasses import dataclass

from rhumbline.api.portal.services import PortalServices
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.delegation import is_contract
from rhumbline.domain.sentence import Sentence

_OWN_CONTRACT = Sentence("address: is a contract of the service itself, where fees would be lost")


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding; a ``fatal`` one forbids the change, others are for the person to decide."""

    text: Sentence
    level: str
    fatal: bool = False


async def wallet_remarks(services: PortalServices, chain_type: ChainType, address: str) -> tuple[Remark, ...]:
    """Check a wallet in canonical form on every chain where it would be paid."""
    if chain_type is ChainType.SVM:
        return (_svm_remark(await services.svm_exists(address)),)
    # Fees are paid by the Diamond, so they arrive where there is one.
    chains = [chain for chain in services.chains.of_types(frozenset({ChainType.EVM})) if chain.diamond is not None]
    if address in own_contracts(services.chains):
        return (Remark(_OWN_CONTRACT, "bad", fatal=True),)
    codes = await asyncio.gather(*(services.evm_code(chain.id, address) for chain in chains))
    found = list(zip(chains, codes, strict=True))
    contract = [chain for chain, code in found if code is not None and is_contract(code)]
    plain = [chain for chain, code in found if code is not None and chain not in contract]
    silent = [chain for chain, code in found if code is None]
    remarks = [Remark(Sentence("The address is well formed; its checksum is the one shown."), "good")]
    if contract:
        remarks.append(
            Remark(
                Sentence(
                    "On %(chains)s there is a contract at this address. Make sure that you control it.",
                    chains=_names(contract),
                ),
                "mind",
            )
        )
    if contract and plain:
        remarks.append(
            Remark(
                Sentence(
                    "On %(chains)s there is none: a contract wallet that was not deployed there cannot move fees that "
                    "arrive there.",
                    chains=_names(plain),
                ),
                "mind",
            )
        )
    if plain and not contract:
        told = Sentence("A plain account on %(chains)s: it can be paid at once.", chains=_names(plain))
        remarks.append(Remark(told, "good"))
    if silent:
        told = Sentence("%(chains)s could not be asked just now, so nothing is known there.", chains=_names(silent))
        remarks.append(Remark(told, "mind"))
    return tuple(remarks)


def own_contracts(chains: ChainCatalog) -> frozenset[str]:
    """Return the contracts on the chains from which nobody could withdraw a fee."""
    paid = (chain for chain in chains.of_types(frozenset({ChainType.EVM})) if chain.diamond is not None)
    return frozenset(
        item
        for chain in paid
        for item in (chain.diamond, chain.executor, chain.receiver, chain.multicall, chain.wrapped_native)
        if item is not None
    )


def _svm_remark(exists: bool | None) -> Remark:
    if exists is None:
        return Remark(
            Sentence(
                "The address is well formed. Solana could not be asked just now, so whether the account is active is "
                "not known: fees to an account that does not exist yet are skipped, so send it a little SOL first."
            ),
            "mind",
        )
    if exists:
        return Remark(Sentence("The account is active on Solana: it can be paid at once."), "good")
    return Remark(
        Sentence("Solana does not know this account yet. Fees are skipped until it is active: send it a little SOL."),
        "mind",
    )


def _names(chains: list[Chain]) -> str:
    return ", ".join(chain.name for chain in chains)
