"""What commands print: results to standard output, progress and failures to standard error."""

import sys

from rich.console import Console

EXIT_FAILED = 1
EXIT_USAGE = 2


def output() -> Console:
    return Console(file=sys.stdout, highlight=False, soft_wrap=True)


def notices() -> Console:
    return Console(file=sys.stderr, highlight=False, soft_wrap=True)
