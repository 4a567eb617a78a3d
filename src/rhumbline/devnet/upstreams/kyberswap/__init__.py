"""KyberSwap on the sandbox: routes through the pools, encoded for its router."""

from rhumbline.devnet.upstreams.kyberswap.emulator import KyberSwap

EMULATORS = (KyberSwap,)
