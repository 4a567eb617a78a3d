"""Forms are read strictly, and a sign-in leads into the portal alone."""

from urllib.parse import urlencode

import pytest

from tests.api.portal.test_views import NAME, owner
from tests.portal_fixture import ServedPortal


async def test_a_form_is_read_strictly(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    csrf = await visitor.csrf()
    kind = "application/x-www-form-urlencoded"
    for body, given, status in (
        (f"csrf={csrf}&name=Two".encode(), "text/plain", 415),
        (f'{{"csrf": "{csrf}", "name": "Two"}}'.encode(), "application/json", 415),
        (f"csrf={csrf}&csrf={csrf}&name=Two".encode(), kind, 400),
        (f"csrf={csrf}&name=Two&{'&'.join(f'f{i}=1' for i in range(30))}".encode(), kind, 400),
        (f"csrf={csrf}&name=%ff".encode(), kind, 400),
        (f"csrf={csrf}&name=\xff".encode("latin-1"), kind, 400),
        (f"csrf={csrf}&name={'x' * 20_000}".encode(), kind, 413),
        (b"x" * 300_000, kind, 413),
        (b"", kind, 403),
    ):
        answer = await visitor.ask("POST", "/portal/integrators", body, {"content-type": given})
        assert answer.status == status, (body[:80], answer.text)
    (own,) = await portal.services.members.memberships_of(visitor.address)
    assert own.integrator == NAME


@pytest.mark.parametrize(
    "then",
    ["//evil.example", "https://evil.example/portal/i/x", "/portal/i/", "/portal/i/x\\evil", "/portal/i/x#<", "/docs"],
)
async def test_a_sign_in_leads_nowhere_but_into_the_portal(portal: ServedPortal, then: str) -> None:
    visitor = portal.visitor()
    asked = f"/portal?{urlencode({'then': then})}"
    assert 'data-then="/portal"' in (await visitor.get(asked)).text
    await visitor.sign_in()
    assert (await visitor.get(asked)).status == 200
