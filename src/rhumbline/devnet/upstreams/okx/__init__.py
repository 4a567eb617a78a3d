"""OKX on the sandbox: swaps on EVM chains and on Solana, for whoever signs the request."""

from rhumbline.devnet.upstreams.okx.emulator import Okx

EMULATORS = (Okx,)
