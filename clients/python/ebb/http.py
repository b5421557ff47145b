"""HTTP and JSON to one server, on a connection that each thread keeps."""

from __future__ import annotations

import http.client
import os
import random
import re
import socket
import threading
import time
import urllib.parse
from typing import Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple, TypeVar

from .errors import EbbError, Refused, Unreachable
from .version import CLIENT

T = TypeVar("T")
_SHORTEST, _LONGEST = 0.2, 10.0
# However long a proxy asks to be left alone.
_MOST_ASKED = 30.0
_PART = 64 * 1024
_TOKEN = re.compile("[!-~]*")
_LOST = (OSError, http.client.HTTPException, UnicodeDecodeError)


class Answer(NamedTuple):
    """What came back, of status 200 to 299."""

    status: int
    headers: Mapping[str, str]
    text: str
    since: float
    """When its head was there, by this machine's clock."""

    def read(self, reader: Callable[[str], T]) -> T:
        """What it says; an answer that cannot be read is as good as lost."""
        try:
            return reader(self.text)
        except Exception as error:
            raise Unreachable(f"the answer cannot be read: {error!r}") from error


def _lower(response: http.client.HTTPResponse) -> Iterator[Tuple[str, str]]:
    return ((name.lower(), value) for name, value in response.getheaders())


def _read(response: http.client.HTTPResponse, sock: socket.socket, end: float) -> bytes:
    """The body: the timeout of a socket is of each part of it, and not of the whole."""
    body = b""
    part = None
    while part != b"" and not response.isclosed():
        sock.settimeout(max(0.001, end - time.monotonic()))
        part = response.read1(_PART)
        body += part
    # Ends the response, and raises if there should have been more.
    return body + response.read()


def pause(tries: int, error: EbbError) -> float:
    """How long to wait after so many failed tries: the first may have met a connection that had
    ended.
    """
    asked = min(_MOST_ASKED, getattr(error, "retry_after", None) or 0.0)
    if tries == 1 and isinstance(error, Unreachable):
        return 0.0
    return max(asked, random.uniform(0, min(_LONGEST, _SHORTEST * 2**tries)))


def may_repeat(error: EbbError) -> bool:
    return isinstance(error, Unreachable) or (isinstance(error, Refused) and error.retryable)


def repeated(once: Callable[[], T], patience: float) -> T:
    """Calls until there is an answer, another call would not help, or so long."""
    end = time.monotonic() + patience
    tries = 0
    while True:
        try:
            return once()
        except EbbError as error:
            tries += 1
            rest = pause(tries, error)
            if not may_repeat(error) or time.monotonic() + rest > end:
                raise
            time.sleep(rest)


class Http:
    """Calls one server."""

    def __init__(self, url: str, token: Optional[str], timeout: float):
        parts = urllib.parse.urlsplit(url)
        if parts.username is not None:
            raise ValueError("url must have no user and no password")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url must be like https://ebb.example.com, and is {url}")
        self._parts, self._host, self._port = parts, parts.hostname, parts.port
        self._timeout = timeout
        self._own = threading.local()
        self._headers = {
            "user-agent": CLIENT,
            "accept": "application/json, application/problem+json",
        }
        word = (token or "").strip()
        if not _TOKEN.fullmatch(word):
            raise ValueError("a token has visible ASCII characters alone, and this one has others")
        if word:
            self._headers["authorization"] = f"Bearer {word}"

    def post(
        self,
        path: str,
        body: str,
        headers: Optional[Dict[str, str]] = None,
        timeout: Optional[float] = None,
        rest: Optional[float] = None,
    ) -> Answer:
        """Once; `Unreachable` or `Refused` if it was no success. The whole answer has `timeout`
        seconds, and of these what follows its head has `rest`.
        """
        patience = timeout or self._timeout
        end = time.monotonic() + patience
        sent = {**self._headers, "content-type": "application/json", **(headers or {})}
        connection = self._connection(patience)
        try:
            connection.request("POST", self._parts.path.rstrip("/") + path, body.encode(), sent)
            sock = connection.sock
            response = connection.getresponse()
            since = time.monotonic()
            text = _read(response, sock, min(end, since + (rest or patience))).decode()
            answer = Answer(response.status, dict(_lower(response)), text, since)
        except BaseException as error:
            # What is half sent or half read must not meet the next request.
            connection.close()
            if isinstance(error, _LOST):
                why = str(error) or type(error).__name__
                raise Unreachable(f"no answer to {path}: {why}") from error
            raise
        if answer.status >= 400:
            raise Refused.read(answer.status, answer.text, answer.headers.get("retry-after"))
        foreign = answer.text and "json" not in answer.headers.get("content-type", "")
        if foreign or answer.status >= 300:
            raise Unreachable(f"what answered {path} is not Ebb: status {answer.status}")
        return answer

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        process, connection = getattr(self._own, "connection", (0, None))
        # After a fork both processes would read from one.
        if connection is None or process != os.getpid():
            of = (
                http.client.HTTPSConnection
                if self._parts.scheme == "https"
                else http.client.HTTPConnection
            )
            connection = of(self._host, self._port)
            self._own.connection = os.getpid(), connection
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection
