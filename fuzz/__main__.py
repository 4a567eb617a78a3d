"""`make fuzz`: give every decoder of foreign bytes what hostile or broken peers might send.

Exit status 1 if a decoder raised anything but its documented errors, or took too long or too much memory; 2 if a module
that reads foreign bytes is read by no decoder here.
"""

import argparse
import asyncio
import logging
import sys
import time
from collections import Counter, defaultdict

import structlog

from fuzz.adapters import of_adapters, of_pools, sandboxed
from fuzz.decoder import Bench, Decoder, Fault
from fuzz.evm_codecs import evm_codecs
from fuzz.inbound import inbound
from fuzz.reach import left_out
from fuzz.sources import of_lists, of_names, of_prices
from fuzz.streams import streams
from fuzz.svm_codecs import svm_codecs
from fuzz.texts import texts
from rhumbline.gateways.http.client import HttpClient

_SLICE_S = 0.25
_MOST_SLICES = 10
_SHOWN = 2_000


def without_chains() -> list[Decoder]:
    """The decoders whose samples are made without chains."""
    return [*evm_codecs(), *svm_codecs(), *texts(), *inbound(), *streams()]


async def _all() -> list[Decoder]:
    async with sandboxed() as (sandbox, emulators), HttpClient() as http:
        return [
            *without_chains(),
            *await of_adapters(sandbox, emulators, whole=True),
            *await of_pools(sandbox, http),
            *await of_prices(),
            *await of_lists(http),
            *await of_names(http),
        ]


def _group(name: str) -> str:
    """What stands in one row: all of an adapter's conversations together."""
    return name.partition(" ")[0] if name.split(" ")[0].isupper() and name != "JSON" else name.partition(",")[0]


def run(bench: Bench, decoders: list[Decoder], seconds: float) -> tuple[dict[str, Counter[str]], list[Fault]]:
    """Give each row's decoders inputs in turn; what was done by row, and one fault of each place."""
    rows: dict[str, list[Decoder]] = defaultdict(list)
    for decoder in decoders:
        rows[_group(decoder.name)].append(decoder)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    cases: Counter[str] = Counter()
    faults: dict[str, Fault] = {}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for row, members in rows.items():
            # An adapter has many conversations, each of them slower than a codec.
            slice_end = time.monotonic() + _SLICE_S * min(len(members), _MOST_SLICES)
            while time.monotonic() < slice_end:
                decoder = min(members, key=lambda each: cases[each.name])
                before = bench.accepted
                fault = bench.fault(decoder, cases[decoder.name])
                cases[decoder.name] += 1
                counts[row]["cases"] += 1
                counts[row]["accepted"] += bench.accepted - before
                if fault is not None:
                    counts[row]["faults"] += 1
                    faults.setdefault(f"{row} {fault.place}", fault)
    return counts, list(faults.values())


def main() -> None:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("only", nargs="?", help="decoders whose name begins so")
    parser.add_argument("--seconds", type=float, default=600.0, help="for how long (default 600)")
    parser.add_argument("--seed", type=int, default=1, help="which inputs (default 1)")
    parser.add_argument("--case", type=int, help="this one case of one decoder alone, with its traceback")
    arguments = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable()
    with asyncio.Runner() as runner:
        decoders = runner.run(_all())
        bench = Bench(runner, arguments.seed)
        if arguments.only is None:
            missing = left_out({file for decoder in decoders for file in bench.entered(decoder)})
            if missing:
                print("read by no decoder of fuzz/ (add one, or a reason in fuzz/reach.py):", *missing, sep="\n  ")
                sys.exit(2)
        decoders = [each for each in decoders if each.name.startswith(arguments.only or "")]
        if arguments.case is not None:
            print(bench.fault(decoders[0], arguments.case) or "all is well")
            return
        counts, faults = run(bench, decoders, arguments.seconds)
    print(f"seed {arguments.seed}, {arguments.seconds:.0f} s, {sum(row['cases'] for row in counts.values())} cases\n")
    print("| decoder | cases | accepted | faults |\n| --- | --- | --- | --- |")
    for name, row in counts.items():
        print(f"| {name} | {row['cases']} | {row['accepted']} | {row['faults']} |")
    for fault in faults:
        print(f"\n{fault.decoder}, case {fault.case}: {fault.what}\n  at {fault.place}\n  {fault.given[:_SHOWN]}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
