"""A browser whose owner speaks other languages than English, and what does not fit where texts are longer."""

from tests.portal.chromium import Page

# What people press, read as a title or choose from, where its text needs more room than it has.
CLIPPED = """deepAll('button, summary, select, h1, h2, h3, label, .label, .badge, .note, .headline, th, .small')
  .filter((e) => e.checkVisibility() && !e.closest('.hide') && !e.matches('.hide, #wallet-state, .scroll *'))
  .filter((e) => e.clientWidth && e.scrollWidth - e.clientWidth > 1)
  .map((e) => `${e.tagName}#${e.id}.${e.className}: ${e.textContent.trim()}`)"""
# Whatever stands beyond the window's edges.
OUTSIDE = """deepAll('main *, rhumbline-swap, .swap *').filter((e) => {
  const b = e.getBoundingClientRect();
  const outside = b.right > innerWidth + 1 || b.left < -1;
  return outside && b.width && e.checkVisibility() && !e.closest('.hide, .scroll, svg');
}).map((e) => `${e.tagName}#${e.id}.${e.className}`)"""


async def speaking(page: Page, languages: str) -> None:
    """The browser's owner speaks these, the first best."""
    agent = await page.evaluate("navigator.userAgent")
    await page.send("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=languages)
