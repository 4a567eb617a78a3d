"""A failure to reach a host is told in words, with the host and without what may be secret of its address."""

import errno
import ssl

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import ConnectionFailed
from rhumbline.gateways.http.connection_errors import host_of, in_words
from rhumbline.gateways.http.list_download import DocumentUnavailable, fetch_document
from rhumbline.gateways.nodes.evm.rpc import EvmRpc


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://user:hidden-word@node.example/hidden-word?key=hidden-word", "node.example"),
        ("http://127.0.0.1:8545/x", "127.0.0.1:8545"),
        ("http://[::1]:9/", "[::1]:9"),
        ("http://x:99999/", "an address that is none"),
        ("", ""),
    ],
)
def test_only_the_host_is_named(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TimeoutError(), "no answer in time"),
        (ssl.SSLCertVerificationError("hidden-word"), "its TLS certificate is not valid"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "hidden-word"), "nothing listens there"),
        (OSError(errno.ENETUNREACH, "hidden-word"), "there is no way to its network"),
        (ConnectionFailed("it hung up"), "it hung up"),
        (ValueError("hidden-word"), "ValueError"),
    ],
)
def test_each_failure_has_words(error: Exception, words: str) -> None:
    assert in_words(error) == words


async def test_a_node_and_a_list_say_what_is_wrong() -> None:
    async with HttpClient() as http:
        with pytest.raises(NodeUnavailable, match=r"^base: the node does not answer \(nothing listens there\)$"):
            await EvmRpc("http://127.0.0.1:9/hidden-word", http, "base").chain_id()
        with pytest.raises(NodeUnavailable, match=r"^base: the node does not answer \(no such host is known\)$"):
            await EvmRpc("http://nowhere.invalid/hidden-word", http, "base").chain_id()
        with pytest.raises(DocumentUnavailable, match=r"^cannot be reached \(127\.0\.0\.1:9: nothing listens there\)$"):
            await fetch_document(http, "http://127.0.0.1:9/hidden-word")
