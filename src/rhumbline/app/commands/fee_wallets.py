"""What the command line refuses as a fee wallet beyond what no store would take."""

from rhumbline.accounts.integrators import canonical_wallet
from rhumbline.api.portal.wallet_checks import own_contracts
from rhumbline.app.chains import known_to
from rhumbline.app.settings import Settings
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest


def refuse_own_contracts(settings: Settings, wallet: str | None) -> None:
    """Refuse a contract of the service's own as a fee wallet, as the portal does; other faults are found later."""
    address, _ = canonical_wallet(ChainType.EVM, wallet)
    if address is not None and address in own_contracts(known_to(settings)):
        raise InvalidRequest(["evm_wallet: is a contract of the service itself, where fees would be lost"])
