"""Hears that the process is asked to end."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import Any, Callable, Iterator


@contextlib.contextmanager
def heard(asked: Callable[[], Any]) -> Iterator[None]:
    """Has SIGTERM and SIGINT call it meanwhile, in the main thread of a program."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    process = os.getpid()

    def hear(number: int, _: Any) -> None:
        if os.getpid() != process:
            # A handler has forked a child: only its parent has a worker to stop.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        else:
            # In a thread: this one may be within a lock that it needs.
            threading.Thread(target=asked).start()

    numbers = (signal.SIGTERM, signal.SIGINT)
    previous = {number: signal.signal(number, hear) or signal.SIG_DFL for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
