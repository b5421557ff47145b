"""A real server on a PostgreSQL of its own, and what the suite asks of both."""

import http.client
import json
import os
import pathlib
import secrets
import shlex
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
IMAGE = "postgres:18"
# Seconds to wait for what must come, on a machine that may stall.
PATIENCE = 60


class Broken(Exception):
    """A case found that a rule does not hold."""


def until(what, holds, seconds=None):
    """Asks until it holds, and returns that."""
    seconds = seconds or patience()
    end = time.monotonic() + seconds
    while True:
        found = holds()
        if found:
            return found
        if time.monotonic() > end:
            raise Broken(f"{what}: not within {seconds} s")
        time.sleep(0.05)


_own = threading.local()


def patience():
    """How long this thread waits for what must come."""
    return getattr(_own, "seconds", PATIENCE)


def be_patient(seconds):
    _own.seconds = seconds


class Api:
    """Calls a server as its token may."""

    def __init__(self, url, token):
        self.url, self.token = url, token

    def ask(self, method, path, body=None, headers=None):
        """The status and the answer."""
        parts = urllib.parse.urlsplit(self.url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)
        sent = {
            "authorization": f"Bearer {self.token}",
            "content-type": "application/json",
            **(headers or {}),
        }
        text = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        try:
            connection.request(method, path, text, sent)
            answer = connection.getresponse()
            found = answer.read().decode()
            return answer.status, json.loads(found) if found else None
        finally:
            connection.close()

    def get(self, path):
        return self._must("GET", path, None)

    def post(self, path, body=None):
        return self._must("POST", path, body)

    def put(self, path, body):
        return self._must("PUT", path, body)

    def _must(self, method, path, body):
        key = {"idempotency-key": secrets.token_hex(16)}

        def answered():
            # A machine that stalls has statements take too long.
            status, answer = self.ask(method, path, body, key)
            if status >= 300 and status != 503:
                raise Broken(f"{method} {path}: {status} {answer}")
            return status < 300 and (answer or {"status": status})

        return until(f"{method} {path} is answered", answered)


class Session:
    """A psql that stays, so that a transaction does. A statement's answer is its last line."""

    def __init__(self, command):
        self._psql = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, statement):
        mark = secrets.token_hex(8)
        self._psql.stdin.write(f"{statement};\n\\echo {mark}\n")
        self._psql.stdin.flush()
        last = ""
        for line in self._psql.stdout:
            if line.strip() == mark:
                return last
            last = line.strip()
        raise Broken(f"psql ended at: {statement}")

    def close(self):
        self._psql.stdin.close()
        self._psql.wait(20)
        self._psql.stdout.close()


class Stack:
    """PostgreSQL in a container, and `./ebb server`."""

    def __init__(self):
        self._name = f"ebb-conformance-{os.getpid()}"
        self._work = tempfile.TemporaryDirectory(prefix="ebb-conformance-")
        self._server = None
        self.admin = Api(f"http://127.0.0.1:{_free_port()}", secrets.token_hex(24))

    def start(self):
        settings = "-e POSTGRES_PASSWORD=superuser -e POSTGRES_DB=shop"
        _output(f"docker run -d --name {self._name} -p 127.0.0.1::5432 {settings} {IMAGE}")
        until("PostgreSQL answers", lambda: self._answers("select 1"), 120)
        address = _output(f"docker port {self._name} 5432/tcp").split()[0]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("EBB_")
        }
        environment.update(
            EBB_DB_URL=f"jdbc:postgresql://{address}/shop",
            EBB_DB_USER="postgres",
            EBB_DB_PASSWORD="superuser",
            EBB_MIGRATE="true",
            EBB_ADMIN_TOKEN=self.admin.token,
            EBB_HTTP_PORT=self.admin.url.rsplit(":", 1)[1],
            EBB_SHUTDOWN_DELAY="0s",
            EBB_DRAIN="0s",
            EBB_HOME=self._work.name,
        )
        with open(self._log(), "w") as log:
            self._server = subprocess.Popen(
                [ROOT / "ebb", "server"],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
        until("the server is ready", self._is_ready, 300)

    def sql(self, statement):
        """The last line that it prints."""
        lines = _output(*self._psql(), "-c", statement).split("\n")
        return lines[0]

    def session(self):
        return Session(self._psql())

    def told(self):
        """The end of the server's log."""
        return (
            "\n".join(self._log().read_text(errors="replace").splitlines()[-30:])
            if self._log().exists()
            else ""
        )

    def stop(self):
        if self._server:
            self._server.terminate()
            self._server.wait(60)
        subprocess.run(["docker", "rm", "-fv", self._name], capture_output=True, check=False)
        self._work.cleanup()

    def _log(self):
        return pathlib.Path(self._work.name, "server.log")

    def _psql(self):
        login = "psql -h 127.0.0.1 -U postgres -d shop -qAt -v ON_ERROR_STOP=1"
        return shlex.split(f"docker exec -i -e PGPASSWORD=superuser {self._name} {login}")

    def _answers(self, statement):
        return (
            subprocess.run(
                [*self._psql(), "-c", statement], capture_output=True, check=False
            ).returncode
            == 0
        )

    def _is_ready(self):
        if self._server.poll() is not None:
            raise Broken(f"the server ended:\n{self.told()}")
        try:
            return self.admin.ask("GET", "/readyz")[0] == 200
        except OSError:
            return False


def _output(*command):
    command = shlex.split(command[0]) if len(command) == 1 else command
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Broken(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done.stdout


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
