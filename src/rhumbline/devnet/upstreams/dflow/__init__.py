"""DFlow on the sandbox: whole transactions of its program over the pools of Solana."""

from rhumbline.devnet.upstreams.dflow.emulator import Dflow

EMULATORS = (Dflow,)
