"""The attack on what begins on Solana: answers altered in their structure, signed by the wallet, and executed."""
