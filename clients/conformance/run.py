#!/usr/bin/env python3
"""Runs the cases of polling workers with SDKs, against a real server.

    run.py [-c NUMBER]... [--broken] NAME=COMMAND...

Each NAME is an SDK, and its COMMAND starts its adapter (README.md says what that reads and
writes). Prints "ok NUMBER CASE" for a rule that holds, and what was wrong otherwise. With
--broken, copies of the Python SDK that break a rule are run as well: the case that must find it
has to fail. Needs docker, a JDK 25 and Maven.
"""

import argparse
import concurrent.futures
import shlex
import signal
import sys
import tempfile
import time
import traceback

import asking
import claiming
import enduring
import holding
import lasting
from broken import mutants
from case import ALONE, BRIEFLY, CASES, Case
from stack import PATIENCE, Broken, Stack, be_patient

# Most of a case is waiting.
AT_ONCE = 16


def fault_of(stack, token, command, check, patience):
    """What a case found; None if the rule holds."""
    be_patient(patience)
    c = Case(stack, token, command)
    try:
        check(c)
        c.check_sent()
        return None
    except Broken as broken:
        return str(broken)
    except Exception:
        return traceback.format_exc()
    finally:
        c.close()


def keeps(stack, token, sdk, command, one):
    number, name, check = one
    began = time.monotonic()
    fault = fault_of(stack, token, command, check, PATIENCE)
    how = f"{sdk}, {time.monotonic() - began:.1f} s" if fault is None else f"{sdk}): {fault}"
    print(
        f"ok {number} {name} ({how})" if fault is None else f"not ok {number} {name} ({how}",
        flush=True,
    )
    return fault is None


def is_found(stack, token, mutant, command, one):
    fault = fault_of(stack, token, command, one[2], BRIEFLY[one[0]])
    if fault is None:
        print(f"not ok {one[0]} misses one that {mutant}", flush=True)
    else:
        print(f"ok {one[0]} finds one that {mutant}: {fault.splitlines()[-1][:120]}", flush=True)
    return fault is not None


def run_all(stack, sdks, chosen, work):
    scopes = ["jobs:work", "jobs:submit"]
    token = stack.admin.post("/v1/tokens", {"name": "conformance", "scopes": scopes})["token"]
    cases = {one[0]: one for one in CASES if not chosen or one[0] in chosen}
    runs = [
        (keeps, sdk, command, cases[number])
        for number in sorted(cases, key=lambda number: (number not in ALONE, number))
        for sdk, command in sdks.items()
    ]
    if work:
        runs += [(is_found, *mutant) for mutant in mutants(work, cases)]
    first = len(ALONE & set(cases)) * len(sdks)
    hold = [run(stack, token, *more) for run, *more in runs[:first]]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        running = [pool.submit(run, stack, token, *more) for run, *more in runs[first:]]
        return hold + [one.result() for one in running]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-c", "--case", type=int, action="append")
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("sdks", nargs="+")
    asked = parser.parse_args()
    sdks = {
        name: shlex.split(command) for name, command in (one.split("=", 1) for one in asked.sdks)
    }
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    stack = Stack()
    with tempfile.TemporaryDirectory(prefix="ebb-conformance-") as work:
        try:
            stack.start()
            hold = run_all(stack, sdks, asked.case, work if asked.broken else None)
            if not all(hold):
                print(stack.told(), file=sys.stderr)
        finally:
            stack.stop()
    print(f"{sum(hold)} of {len(hold)} hold for {', '.join(sdks)}")
    sys.exit(0 if all(hold) and hold else 1)


main()
