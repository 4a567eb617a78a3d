import pytest

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.rate_limits import RateScope, Verdict
from rhumbline.domain.account import ApiClient


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[RateScope]:
    """Every request is one too many, for 7 seconds; what it counted as."""
    scopes: list[RateScope] = []
    take = Limiter.take

    async def taken(self: Limiter, caller: ApiClient, host: str | None, scope: RateScope) -> Verdict:
        scopes.append(scope)
        verdict = await take(self, caller, host, scope)
        return verdict._replace(allowed=False, retry_after_s=7)

    monkeypatch.setattr(Limiter, "take", taken)
    return scopes
