"""Stands between an SDK and the server: notes each request, loses answers, changes what passes."""

import http.client
import http.server
import json
import select
import socket
import threading
import time
import urllib.parse

from stack import Broken, patience

# What requests of revision 1 may have: an older server refuses what it does not know.
REVISION_1 = {
    "/v1/leases": "worker requestId queues kinds max lease wait slots client",
    "/v1/leases/renew": "worker leases progress",
    "/v1/leases/settle": "worker results",
    "/v1/leases/stop": "worker",
}
RESULT_1 = "lease id outcome reason message retryAfter delay tookMs result"
# Of a connection, and what would have answers come packed.
_OWN = ("host", "connection", "content-length", "accept-encoding")


class Exchange:
    """A request, and what was answered. `status` is None until then, and where the request was
    not passed on.
    """

    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body
        self.began = time.monotonic()
        self.ended = self.status = self.answer = self.held = None
        self.lost = self.stalls = False

    def json(self):
        return json.loads(self.body) if self.body else {}

    def unknown(self):
        """The fields that revision 1 has not."""
        if self.path not in REVISION_1:
            return set()
        found = set(self.json()) - set(REVISION_1[self.path].split())
        for result in self.json().get("results", []):
            found |= set(result) - set(RESULT_1.split())
        return found


def answer_instead(exchange, status, answer, headers=None):
    """Of headers, the names have _ for -."""
    exchange.status, exchange.answer = status, answer
    exchange.replied = {"content-type": "application/json"} if answer else {}
    exchange.replied.update((n.replace("_", "-"), v) for n, v in (headers or {}).items())


class Fault:
    """Passes everything on as it is."""

    def before(self, exchange):
        """Before it is passed on: False cuts the connection instead."""
        return True

    def after(self, exchange):
        """Before it is answered: False loses the answer. None leaves the fault for a later one."""
        return True


class Lose(Fault):
    """The server serves it, and its answer does not arrive."""

    def __init__(self, status=200):
        self.status = status

    def after(self, exchange):
        return None if exchange.status != self.status else False


class Cut(Fault):
    """The request does not arrive."""

    def before(self, exchange):
        return False


class Stall(Fault):
    """Half of the answer arrives, and the connection stays open."""

    def after(self, exchange):
        exchange.stalls = bool(exchange.answer)
        return True if exchange.stalls else None


class Refuse(Fault):
    """A request of which that holds is answered so, and does not arrive."""

    def __init__(self, status, holds=lambda exchange: True, answer="", **headers):
        self.status, self.holds, self.answer, self.headers = status, holds, answer, headers

    def before(self, exchange):
        if self.holds(exchange):
            answer_instead(exchange, self.status, self.answer, self.headers)
        return True

    def after(self, exchange):
        return True if self.holds(exchange) else None


class Replace(Fault):
    """The server serves it, and something else is answered in the place of its success."""

    def __init__(self, status, answer=""):
        self.status, self.answer = status, answer

    def after(self, exchange):
        if exchange.status not in (200, 201):
            return None
        answer_instead(exchange, self.status, self.answer)
        return True


class AsToken(Fault):
    """Sent as another's."""

    def __init__(self, token):
        self.token = token

    def before(self, exchange):
        exchange.headers["authorization"] = f"Bearer {self.token}"
        return True


class Rewrite(Fault):
    """Changes each JSON answer."""

    def __init__(self, change):
        self.change = change

    def after(self, exchange):
        if exchange.answer:
            exchange.answer = self.change(exchange.path, exchange.answer)
        return True


class Proxy:
    """One proxy, with what it has seen."""

    def __init__(self, target):
        self._target = urllib.parse.urlsplit(target)
        self._faults = []
        self._changed = threading.Condition()
        self.seen = []
        handler = type("Handler", (_Handler,), {"proxy": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def fault(self, path, fault, times=1):
        """The next so many requests to the path meet it."""
        with self._changed:
            self._faults.append([path, fault, times])

    def heal(self, *then):
        with self._changed:
            self._faults[:] = map(list, then)

    def all(self):
        with self._changed:
            return list(self.seen)

    def of(self, path, *, answered=True):
        """What was sent to the path: that has been answered, or lost; or all."""
        with self._changed:
            return [one for one in self.seen if one.path == path and (one.ended or not answered)]

    def await_(self, what, path, holds=lambda exchange: True, *, answered=True, count=1):
        """Waits until so many requests are so, and returns the first of these."""
        seconds = patience()
        end = time.monotonic() + seconds
        with self._changed:
            while True:
                found = [
                    one
                    for one in self.seen
                    if one.path == path and (one.ended or not answered) and holds(one)
                ]
                if len(found) >= count:
                    return found[0]
                left = end - time.monotonic()
                if left <= 0:
                    raise Broken(f"{what}: not within {seconds} s")
                self._changed.wait(left)

    def meet(self, path):
        with self._changed:
            return next(
                (entry for entry in self._faults if entry[0] == path and entry[2] > 0), None
            )

    def note(self, exchange, entry=None, used=True, ended=False):
        with self._changed:
            if exchange not in self.seen:
                self.seen.append(exchange)
            if ended:
                exchange.ended = time.monotonic()
            if entry and used:
                entry[2] -= 1
            self._changed.notify_all()

    def connect(self):
        return http.client.HTTPConnection(self._target.hostname, self._target.port, timeout=120)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        exchange = Exchange(self.path, headers, body)
        entry = self.proxy.meet(self.path)
        fault = entry[1] if entry else Fault()
        self.proxy.note(exchange)
        answered = fault.before(exchange) and (exchange.status or self.pass_on(exchange))
        kept = fault.after(exchange) if answered else answered
        exchange.lost = kept is False
        self.proxy.note(exchange, entry, used=kept is not None, ended=True)
        if not answered or kept is False:
            self.cut()
        else:
            self.give(exchange)

    def pass_on(self, exchange):
        """Whether the server answered before the client went away."""
        upstream = self.proxy.connect()
        try:
            headers = {n: v for n, v in exchange.headers.items() if n not in _OWN}
            upstream.request(self.command, exchange.path, exchange.body.encode() or None, headers)
            while True:
                ready, _, _ = select.select([self.connection, upstream.sock], [], [], 120)
                if upstream.sock in ready:
                    break
                if not ready or not self.connection.recv(1, socket.MSG_PEEK):
                    return False
            response = upstream.getresponse()
            exchange.answer = response.read().decode()
            exchange.status = response.status
            exchange.held = response.headers.get("ebb-held")
            exchange.replied = response.headers
            return True
        except (OSError, http.client.HTTPException):
            return False
        finally:
            upstream.close()

    def cut(self):
        self.close_connection = True
        try:
            self.connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def give(self, exchange):
        self.send_response_only(exchange.status)
        for name, value in exchange.replied.items():
            if name.lower() not in (
                "content-length",
                "transfer-encoding",
                "connection",
                "keep-alive",
            ):
                self.send_header(name, value)
        body = exchange.answer.encode()
        if exchange.status != 204:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        if exchange.stalls:
            self.wfile.write(body[: len(body) // 2])
            self.connection.recv(1)
        else:
            self.wfile.write(body)
