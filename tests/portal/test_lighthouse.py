"""The front page as Lighthouse judges it; how fast it is, is a row of `make bench`."""

import pytest

from tests.portal.chromium import Browser
from tests.portal.lighthouse import Form, judged
from tests.portal.stack import PortalService


@pytest.mark.parametrize("form", ["mobile", "desktop"])
async def test_lighthouse_takes_no_point_off(browser: Browser, portal_service: PortalService, form: Form) -> None:
    found = await judged(browser, portal_service.base_url + "/", form, "accessibility", "best-practices")
    assert found.scores == {"accessibility": 100, "best-practices": 100}, found.lost
