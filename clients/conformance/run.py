#!/usr/bin/env python3
"""Runs the twenty cases of polling workers with SDKs, against a real server.

    run.py [-c NUMBER]... NAME=COMMAND...

Each NAME is an SDK, and its COMMAND starts its adapter (README.md says what that reads and writes). Prints
"ok NUMBER CASE" for a rule that holds, and what was wrong otherwise. Needs docker, a JDK 25 and Maven.
"""

import argparse
import concurrent.futures
import shlex
import signal
import sys
import time
import traceback

import asking  # noqa: F401
import claiming  # noqa: F401
import holding  # noqa: F401
from case import CASES, Case
from stack import Broken, Stack

# Most of a case is waiting.
AT_ONCE = 10


def run_case(stack, token, sdk, command, number, name, check):
    """Runs one, prints how it went, and returns whether the rule holds."""
    began = time.monotonic()
    c = Case(stack, token, command)
    try:
        check(c)
        c.check_sent()
        print(f"ok {number} {name} ({sdk}, {time.monotonic() - began:.1f} s)", flush=True)
        return True
    except Broken as broken:
        print(f"not ok {number} {name} ({sdk}): {broken}", flush=True)
    except Exception:
        print(f"not ok {number} {name} ({sdk}):\n{traceback.format_exc()}", flush=True)
    finally:
        c.close()
    return False


def run_all(stack, sdks, chosen):
    made = stack.admin.post("/v1/tokens", {"name": "conformance", "scopes": ["jobs:work", "jobs:submit"]})
    token = made["token"]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        running = [
            pool.submit(run_case, stack, token, sdk, command, *one)
            for one in sorted(CASES, key=lambda one: one[0])
            if not chosen or one[0] in chosen
            for sdk, command in sdks.items()
        ]
        return [one.result() for one in running]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("-c", "--case", type=int, action="append")
    parser.add_argument("sdks", nargs="+")
    asked = parser.parse_args()
    sdks = {name: shlex.split(command) for name, command in (one.split("=", 1) for one in asked.sdks)}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    stack = Stack()
    try:
        stack.start()
        hold = run_all(stack, sdks, asked.case)
        if not all(hold):
            print(stack.told(), file=sys.stderr)
    finally:
        stack.stop()
    print(f"{sum(hold)} of {len(hold)} cases hold for {', '.join(sdks)}")
    sys.exit(0 if all(hold) and hold else 1)


main()
