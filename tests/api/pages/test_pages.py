"""The security policy of a page."""

from rhumbline.api.pages.pages import origins


def test_a_policy_names_origins_and_nothing_else() -> None:
    urls = (
        "https://a.example/v2/public",
        "https://a.example",
        "http://127.0.0.1:8545",
        "https://b.example:8443?x=1",
        "https://c.example;script-src *",
        "https://d.example,e.example/",
        "https://f.example'unsafe'/",
        "https://[::1]:8545/",
        "wss://g.example/",
        "https://h.example:123456/",
    )
    assert origins(urls) == ("https://a.example", "http://127.0.0.1:8545", "https://b.example:8443")
