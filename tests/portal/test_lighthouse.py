"""The front page as Lighthouse judges it on a phone; how fast it is there and on a desktop is a row of `make bench`."""

from tests.portal.chromium import Browser
from tests.portal.lighthouse import judged
from tests.portal.stack import PortalService


async def test_lighthouse_takes_no_point_off(browser: Browser, portal_service: PortalService) -> None:
    found = await judged(browser, portal_service.base_url + "/", "mobile", "accessibility", "best-practices")
    assert found.scores == {"accessibility": 100, "best-practices": 100}, found.lost
