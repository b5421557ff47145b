"""An SDK's adapter: a process that reads commands, a JSON object a line, and writes answers and
events.
"""

import itertools
import json
import subprocess
import threading
import time

from stack import Broken, patience


class Refusal(Broken):
    """What an SDK raised."""

    def __init__(self, error):
        super().__init__(f"the SDK raised {error}")
        self.error = error


class Sdk:
    """A running adapter."""

    def __init__(self, command):
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._numbers = itertools.count(1)
        self._changed = threading.Condition()
        self._answers = {}
        self.events = []
        self._is_over = False
        threading.Thread(target=self._read, daemon=True).start()

    def call(self, do, **fields):
        """Sends a command and waits for its answer."""
        return self.answer(self.send(do, **fields), do)

    def send(self, do, **fields):
        """Sends a command; its answer is fetched later, by the number."""
        number = next(self._numbers)
        self._process.stdin.write(json.dumps({"n": number, "do": do, **fields}) + "\n")
        self._process.stdin.flush()
        return number

    def answer(self, number, what):
        answer = self._await(f"the answer to {what}", lambda: self._answers.get(number))
        if "error" in answer:
            raise Refusal(answer["error"])
        return answer["ok"]

    def is_answered(self, number):
        with self._changed:
            return number in self._answers

    def event(self, name, count=1, **fields):
        """Waits for the last of so many events with such fields."""

        def found():
            such = self.all(name, **fields)
            return such[count - 1] if len(such) >= count else None

        return self._await(f"the event {name} {fields}", found)

    def all(self, name, **fields):
        with self._changed:
            return [
                one
                for one in self.events
                if one["event"] == name
                and all(one.get(field) == value for field, value in fields.items())
            ]

    def kill(self):
        """As kill -9 does."""
        self._process.kill()
        self._process.wait(20)

    def close(self):
        if self._process.poll() is None:
            self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:
                pass

    def _await(self, what, find):
        seconds = patience()
        end = time.monotonic() + seconds
        with self._changed:
            while True:
                found = find()
                if found is not None:
                    return found
                left = end - time.monotonic()
                if self._is_over or left <= 0:
                    why = "the adapter ended" if self._is_over else f"not within {seconds} s"
                    raise Broken(f"{what}: {why}; events: {self.events[-5:]}")
                self._changed.wait(left)

    def _read(self):
        for line in self._process.stdout:
            told = json.loads(line)
            with self._changed:
                if "event" in told:
                    told["at"] = time.monotonic()
                    self.events.append(told)
                else:
                    self._answers[told["n"]] = told
                self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
