"""Copies of the Python SDK that each break one rule, so that it is seen which case finds that."""

import pathlib
import shutil
import sys

from stack import ROOT, Broken

SDK = ROOT / "clients/python/ebb"
ADAPTER = ROOT / "clients/conformance/adapters/python.py"

# The name, the case that must fail, the file, and what is put for what.
MUTANTS = [
    ("says nothing of itself", 1, "worker.py", '"client": CLIENT,', ""),
    (
        "asks for more than it can start",
        2,
        "worker.py",
        "self._poll(min(room, _MOST_JOBS))",
        "self._poll(_MOST_JOBS)",
    ),
    ("does not wait", 3, "worker.py", "iso(self._wait)", "iso(0)"),
    (
        "repeats a poll as another",
        6,
        "worker.py",
        '"/v1/leases", body, timeout',
        '"/v1/leases", body.replace(\'"requestId": "\', f\'"requestId": "{tries}\'), timeout',
    ),
    (
        "repeats a submit as another",
        6,
        "client.py",
        "post(path, body, headers)",
        'post(path, body, {**headers, "idempotency-key": str(uuid.uuid4())} if path == "/v1/jobs"'
        " else headers)",
    ),
    (
        "repeats a batch as another",
        6,
        "client.py",
        "post(path, body, headers)",
        'post(path, body, {**headers, "idempotency-key": str(uuid.uuid4())} if path != "/v1/jobs"'
        " else headers)",
    ),
    ("renews nothing", 8, "worker.py", "range(0, len(leases), _MOST_LEASES)", "range(0)"),
    ("tells no progress", 8, "renewing.py", "self._limit.news(runs)", "{}"),
    ("renews one lease at a time", 8, "worker.py", "_MOST_LEASES = 100", "_MOST_LEASES = 1"),
    ("does not hear that a lease is lost", 9, "worker.py", "self._lose(renewal.lost)", "pass"),
    ("has no delay", 10, "outcomes.py", '{"delay": iso(self.delay)}', "{}"),
    (
        "does not repeat a settle",
        11,
        "settling.py",
        "            self._tries += 1\n",
        "            self._done(batch)\n",
    ),
    (
        "repeats what is refused",
        11,
        "settling.py",
        "self._done([one for",
        "self._done([one for one in [] for",
    ),
    (
        "forgets what is locked",
        11,
        "settling.py",
        '{(one["lease"], one["id"]) for one in told["locked"]}',
        "set()",
    ),
    ("does not hear of a cancel", 14, "worker.py", "self._held.cancel(renewal.cancel)", "pass"),
    ("does not drain", 15, "worker.py", "self._draining = renewal.drain", "pass"),
    (
        "gives nothing back",
        16,
        "worker.py",
        "self._give_back(self._held.abandon())",
        "self._held.abandon()",
    ),
    ("does not say that it stops", 16, "worker.py", "            self._say_stop()\n", ""),
    ("gives back what is about to end", 16, "worker.py", "_LAST_WORDS = 1.0", "_LAST_WORDS = 0.0"),
    ("has no time to retry after", 18, "outcomes.py", "after = {} if", "after = {} if True or"),
    (
        "submits a batch job by job",
        19,
        "client.py",
        'body = f\'{{"jobs": [{", ".join(job.text() for job in jobs)}]}}\'',
        'return [self._post("/v1/jobs", job.text(), Submitted.read, None, None) for job in jobs]',
    ),
    (
        "does not tell which job of a batch is refused",
        19,
        "errors.py",
        "_PLACE.match(one.pointer)",
        "None",
    ),
    ("hides why its polls have ended", 19, "worker.py", "self._failure = error\n", "pass\n"),
    (
        "answers a batch in another order",
        20,
        "client.py",
        "for one in items]",
        "for one in reversed(items)]",
    ),
    (
        "has leases as doubles",
        20,
        "leases.py",
        'json.loads(lease["lease"])',
        'str(int(float(json.loads(lease["lease"]))))',
    ),
    (
        "has payloads as a parser has them",
        20,
        "leases.py",
        'payload = texts.pop("payload")',
        'payload = json.dumps(json.loads(texts.pop("payload")))',
    ),
    (
        "sends a field of a later revision",
        20,
        "worker.py",
        '"client": CLIENT,',
        '"client": CLIENT, "language": "x",',
    ),
    ("tells all progress at once", 21, "news.py", "_MOST_NEWS = 32", "_MOST_NEWS = 32_000"),
    (
        "tells its progress again and again",
        21,
        "runs.py",
        "return None if latest == self._heard else latest",
        "return latest",
    ),
    (
        "sends what cannot be stored",
        21,
        "runs.py",
        '_NUL.sub(r"\\1?", json.dumps(value, ensure_ascii=False, allow_nan=False))',
        "json.dumps(value)",
    ),
    (
        "loses its leases by its progress",
        22,
        "renewing.py",
        "if not news or error.status not in _REFUSED:",
        "if True:",
    ),
    ("ends where the server fails", 23, "errors.py", " or status >= 500", ""),
    ("ends where a proxy asks for patience", 23, "errors.py", " or status in _PASSING", ""),
    (
        "waits for ever",
        24,
        "http.py",
        "sock.settimeout(max(0.001, end - time.monotonic()))",
        "sock.settimeout(None)",
    ),
    ("uses up a lease by an answer that stalls", 24, "worker.py", ", rest=self._patience", ""),
    ("silences all by one progress", 25, "renewing.py", "if len(news) > 1:", "if False:"),
    (
        "has a lease of a repeat for as long as one that is new",
        26,
        "worker.py",
        "self._take(answer, tries > 0,",
        "self._take(answer, False,",
    ),
    ("hands on no trace", 27, "client.py", 'headers["traceparent"] = traceparent', "pass"),
    ("tells of no trace", 27, "leases.py", 'job.get("traceparent")', "None"),
    (
        "does not take what cannot be read for lost",
        28,
        "http.py",
        "except Exception as",
        "except KeyError as",
    ),
    (
        "has what is done fail for its result",
        29,
        "outcomes.py",
        'if word in ("completed", ',
        "if word in (",
    ),
    (
        "has all fail for one result",
        29,
        "settling.py",
        "if not bad and len(batch) > 1:",
        "if False:",
    ),
    (
        "takes it that all that is thrown has words",
        29,
        "outcomes.py",
        'return f"{name}: {error}"\n    except Exception:',
        'return f"{name}: {error}"\n    except ValueError:',
    ),
    ("tells more than is kept", 29, "outcomes.py", "_RESULT = 1000", "_RESULT = 9000"),
    (
        "forgets what is refused for good",
        29,
        "settling.py",
        "        return error.final or (not error.code and has_lasted)",
        "        self._results.clear()\n        return True",
    ),
    ("has a dead letter tried again", 29, "outcomes.py", 'if word in ("fatal", ', "if word in ("),
    (
        "takes what a proxy refuses for a while for wrong",
        29,
        "settling.py",
        "_FOREIGN_LASTS = 10.0",
        "_FOREIGN_LASTS = 0.0",
    ),
    (
        "keeps to the bare form that a proxy refuses as well",
        29,
        "settling.py",
        "self.text, self.is_bare = self.whole, False",
        "pass",
    ),
    (
        "waits long after a renewal that fails",
        30,
        "worker.py",
        "self._held.ask_again(leases, time.monotonic() + _AGAIN)\n",
        "pass\n",
    ),
    ("takes a locked lease for renewed", 32, "worker.py", "if missed:", "if False:"),
    ("forgets what was not written", 32, "renewing.py", "if run.lease in renewed:", "if True:"),
    ("is not heard of for long", 31, "held.py", "_LONGEST_PAUSE = 10.0", "_LONGEST_PAUSE = 30.0"),
    (
        "takes a submit that may be stored for refused",
        33,
        "submits.py",
        "if may_be_stored and",
        "if False and",
    ),
    (
        "takes one that is refused for stored",
        33,
        "submits.py",
        "if may_be_stored and",
        "if True and",
    ),
    (
        "takes it that a gateway that fails has passed nothing on",
        33,
        "submits.py",
        "error.status == 408 or error.status >= 500",
        "False",
    ),
    (
        "takes it that a token is looked at last",
        33,
        "submits.py",
        " and error.status not in (401, 403)",
        "",
    ),
    ("hides the key of a submit", 33, "submits.py", ", idempotency_key=key", ""),
    ("looks at no clock while it renews", 34, "worker.py", "self._watch_all, ", ""),
    (
        "sends any text as a payload",
        35,
        "jobs.py",
        "json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)",
        "pass",
    ),
    ("sends any token", 35, "http.py", "if not _TOKEN.fullmatch(word):", "if False:"),
    ("sends a token as a file has it", 35, "http.py", '(token or "").strip()', 'token or ""'),
    ("has any number of slots", 35, "rules.py", "1 <= count <= 10_000", "True"),
    (
        "expects refusals to be the server's own",
        28,
        "errors.py",
        "except Exception:",
        "except ValueError:",
    ),
]


def mutants(work, cases):
    """The name, the command and the case of each that one of these cases must find."""
    for n, (name, number, file, old, new) in enumerate(MUTANTS):
        copy = pathlib.Path(work, f"mutant-{n}", "ebb")
        shutil.copytree(SDK, copy)
        text = (copy / file).read_text()
        if text.count(old) != 1:
            raise Broken(f"{name}: {file} has {text.count(old)} times {old}")
        (copy / file).write_text(text.replace(old, new))
        command = ["env", f"EBB_PYTHON={copy.parent}", sys.executable, str(ADAPTER)]
        if number in cases:
            yield name, command, cases[number]
