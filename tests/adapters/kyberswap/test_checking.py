"""Flags of KyberSwap's router."""

from dataclasses import replace

import pytest

from rhumbline.adapters.kyberswap import SPEC
from rhumbline.adapters.kyberswap.calldata import read_swap
from rhumbline.adapters.kyberswap.checking import check_swap
from rhumbline.domain.errors import UpstreamFailed
from tests.adapters.exchanges.stub_upstream import REQUEST, StubUpstream


@pytest.mark.parametrize("flag", [1 << bit for bit in range(12)])
def test_flags_that_change_what_happens_are_refused(stub_upstream: StubUpstream, flag: int) -> None:
    swap, pair = replace(read_swap(stub_upstream.call()), flags=flag), REQUEST.pair(SPEC.deployments[1].native)
    if flag in (0x80, 0x200):
        check_swap(swap, REQUEST, pair, 0)
        return
    with pytest.raises(UpstreamFailed, match="flags"):
        check_swap(swap, REQUEST, pair, 0)
