"""The choices for a transaction on Solana: a quote's parameters, and what an answer says. Beyond the contract."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.parameters.addresses import judged, read_wallet
from rhumbline.api.parameters.parameter import Parameter, Reading, Text, Unreadable, shown
from rhumbline.api.wire.shape import RawAmount, Wire
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.solana_terms import LEAST_TIP, MOST_PRIORITY, MOST_TIP, Priority, SolanaCosts, SolanaTerms
from rhumbline.domain.unowned_addresses import is_placeholder

_LAMPORTS = re.compile(r"(0|[1-9][0-9]{0,19})\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Lamports:
    """A whole number of lamports between two bounds; ``words`` are accepted in its place."""

    least: int
    most: int
    words: tuple[str, ...] = ()

    @property
    def schema(self) -> Mapping[str, object]:
        return {"type": "string", "pattern": f"^({'|'.join((*self.words, '0', '[1-9][0-9]{0,8}'))})$"}

    def read(self, text: str, /) -> int | str:
        """Return the number, or the word."""
        if text in self.words:
            return text
        number = int(text) if _LAMPORTS.match(text) else None
        if number is None or not self.least <= number <= self.most:
            words = f"{', '.join(self.words)}, or " if self.words else ""
            raise Unreadable(
                f"must be {words}a number of lamports from {self.least} to {self.most}, digits only; got {shown(text)}"
            )
        return number


PRIORITY = Parameter(
    "priority",
    Lamports(0, MOST_PRIORITY, tuple(Priority)),
    "Solana: the priority fee. `low`, `medium` and `high` are the 25th, 75th and 95th percentile of what recent slots "
    f"charged, within bounds; a number is the most lamports that it may be, up to {MOST_PRIORITY}. "
    "Beyond the contract.",
    "high",
    remedy="low, medium, high, or a number of lamports",
)
JITO_TIP = Parameter(
    "jitoTip",
    Lamports(LEAST_TIP, MOST_TIP),
    f"Solana: lamports for one of Jito's tip accounts, from {LEAST_TIP} to {MOST_TIP}. Beyond the contract.",
    "10000",
    remedy="a number of lamports",
)
FEE_PAYER = Parameter(
    "feePayer",
    Text(),
    "Solana: another wallet that signs too, and pays the network's fee, the tip, and the rent of token accounts in the "
    "sender's place. Beyond the contract.",
    "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
    remedy="a wallet with SOL that signs beside the sender",
)
SOLANA_PARAMETERS: tuple[Parameter[object], ...] = (PRIORITY, JITO_TIP, FEE_PAYER)


class SolanaTransaction(Wire):
    """What was chosen for a transaction on Solana, and what it costs; amounts in lamports."""

    network_fee: Annotated[RawAmount, Field(description="For the signatures and the priority, at most.")]
    priority_fee: Annotated[RawAmount, Field(description="The part of it for priority, at most.")]
    signers: Annotated[list[str], Field(description="All who sign, in the order of their signatures.")]
    jito_tip: RawAmount | MISSING = MISSING
    jito_tip_account: str | MISSING = MISSING
    fee_payer: str | MISSING = MISSING
    fee_payer_cost: (
        Annotated[
            RawAmount,
            Field(description="The most by which the fee payer's balance falls: network fee, tip, and rent."),
        ]
        | MISSING
    ) = MISSING


def read_solana_terms(
    reading: Reading, origin: Chain | None, sender: str | None, receiver: str | None
) -> SolanaTerms | None:
    """Read the choices; None where nothing is chosen. Faults are kept with the others."""
    priority, tip, text = reading.take(PRIORITY), reading.take(JITO_TIP), reading.take(FEE_PAYER)
    given = [each for each in SOLANA_PARAMETERS if reading.has(each)]
    if not given or origin is None:
        return None
    if origin.type is not ChainType.SVM:
        for each in given:
            reading.fault(each.name, f"is for transactions on Solana, and the origin is {origin.name}: leave it out")
        return None
    payer = judged(read_wallet, reading.wrong_wallet, FEE_PAYER, text, origin)
    if payer is not None:
        _check_payer(reading, payer, origin, sender, receiver)
    level = Priority(priority) if isinstance(priority, str) else priority
    return SolanaTerms(level, tip if isinstance(tip, int) else None, payer)


def _check_payer(reading: Reading, payer: str, origin: Chain, sender: str | None, receiver: str | None) -> None:
    if payer == sender:
        reading.fault(FEE_PAYER.name, "is the sender, who pays without it: name another wallet, or leave it out")
    elif payer == receiver:
        reading.fault(FEE_PAYER.name, "is the receiver: name another wallet, so that what it pays can be told apart")
    elif is_placeholder(origin.type, payer):
        reading.fault(FEE_PAYER.name, "is an address that nobody owns: name a wallet that signs beside the sender")


def solana_of(costs: SolanaCosts) -> SolanaTransaction:
    cost = costs.fee_payer_cost
    return SolanaTransaction(
        network_fee=str(costs.network_fee),
        priority_fee=str(costs.priority_fee),
        signers=list(costs.signers),
        jito_tip=str(costs.tip) if costs.tip else MISSING,
        jito_tip_account=MISSING if costs.tip_account is None else costs.tip_account,
        fee_payer=MISSING if costs.fee_payer is None else costs.fee_payer,
        fee_payer_cost=MISSING if cost is None else str(cost),
    )


def parameters_of(terms: SolanaTerms | None) -> dict[str, str | None]:
    """Return the parameters by which the same is chosen again."""
    if terms is None:
        return {}
    return {
        PRIORITY.name: None if terms.priority is None else str(terms.priority),
        JITO_TIP.name: None if terms.jito_tip is None else str(terms.jito_tip),
        FEE_PAYER.name: terms.fee_payer,
    }
