"""Answers that others published."""

from pathlib import Path

from rhumbline.adapters.across.client import ERRORS
from rhumbline.adapters.across.deployments import DEPLOYMENTS, SOLANA
from rhumbline.adapters.across.wire import Approval, DepositStatus, Limits, SuggestedFees
from rhumbline.domain.errors import AdapterError, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.gateways.upstreams.upstream import UpstreamRefused
from tests.adapters.published import published

HERE = Path(__file__).parent
CUT_OFF = "..."


def test_published_fees_are_read() -> None:
    for sample in published(HERE, "suggested-fees_get_200").values():
        fees = SuggestedFees.model_validate(sample)
        assert str(fees.output_amount) == sample["outputAmount"]
        parts = fees.capital.total + fees.gas.total + fees.lp.total
        assert parts == int(sample["totalRelayFee"]["total"])
        assert fees.output_amount + parts == 10**18
        assert fees.spoke_pool == DEPLOYMENTS[1].spoke_pool
        assert fees.destination_spoke_pool == DEPLOYMENTS[10].spoke_pool


def test_published_limits_are_read() -> None:
    for sample in published(HERE, "limits_get_200").values():
        assert str(Limits.model_validate(sample).min_deposit) == sample["minDeposit"]


def test_the_published_swap_is_read() -> None:
    for sample in published(HERE, "swap_approval_get_200*").values():
        sample["swapTx"]["data"] = sample["swapTx"]["data"].removesuffix(CUT_OFF)
        answer = Approval.model_validate(sample)
        details = answer.steps.bridge.fees.details
        assert details is not None
        assert (details.capital.raw, details.gas.raw, details.lp.raw) == (100, 19227, 11)
        assert answer.steps.destination_swap is not None
        assert answer.swap_tx.to == DEPLOYMENTS[10].spoke_pool


def test_the_published_status_is_read() -> None:
    for sample in published(HERE, "deposit_status_get_200").values():
        told = DepositStatus.model_validate(sample)
        assert (told.status, told.deposit_id) == ("filled", 4406025)
        assert told.fill_tx == sample["fillTxnRef"]
        assert told.actions_succeeded is not False


def test_published_errors_have_a_meaning() -> None:
    meant: dict[str, type[AdapterError]] = {
        "AMOUNT_TOO_HIGH": NoRoute,
        "INTERNAL_SERVER_ERROR": UpstreamFailed,
    }
    for name, sample in published(HERE, "*_[45]00", "error_*").items():
        error = ERRORS.failure(UpstreamRefused("across", sample.get("status", 400), sample))
        assert type(error) is meant.get(sample["code"], RequestRejected), name
        assert sample["code"] in ERRORS.meanings or sample["code"] in ("INTERNAL_SERVER_ERROR", "INVALID_REQUEST")


def test_pools_are_where_they_were_deployed() -> None:
    for sample in published(HERE, "deployed-addresses").values():
        for number, place in DEPLOYMENTS.items():
            contracts = sample["chains"][str(place.chain_id)]["contracts"]
            deployed = contracts["SvmSpoke" if number == SOLANA else "SpokePool"]["address"]
            assert place.spoke_pool == deployed
