"""Renews leases, and tells beside that how far their runs are."""

from __future__ import annotations

import json
import logging
from typing import Dict, Iterable, List, Mapping

from .errors import Refused
from .http import Http
from .leases import Renewal
from .news import NewsLimit
from .runs import Run

_LOG = logging.getLogger("ebb")
# What a server says to a body that it cannot take.
_REFUSED = (400, 413)


class Renewing:
    """Of one worker."""

    def __init__(self, http: Http, worker: str, timeout: float):
        self._http, self._worker, self._timeout = http, worker, timeout
        self._limit = NewsLimit()

    def renew(self, leases: List[str], runs: Iterable[Run]) -> Renewal:
        """Once. What the server does not take of the news must not cost a lease."""
        news = self._limit.news(runs)
        try:
            renewal = self._send(leases, news)
        except Refused as error:
            if not news or error.status not in _REFUSED:
                raise
            _LOG.warning("ebb: progress is refused: %s", error)
            self._refused(news, error.status)
            return self._send(leases, {})
        renewed = set(renewal.renewed)
        for run, text in news.items():
            if run.lease in renewed:
                run._note_heard(text)
        self._limit = self._limit.taken()
        return renewal

    def _send(self, leases: List[str], news: Mapping[Run, str]) -> Renewal:
        body = json.dumps({"worker": self._worker, "leases": leases})
        if news:
            progress = ", ".join(f'"{run.id}": {text}' for run, text in news.items())
            body = f'{body[:-1]}, "progress": {{{progress}}}}}'
        answer = self._http.post("/v1/leases/renew", body, timeout=self._timeout)
        return answer.read(Renewal.read)

    def _refused(self, news: Dict[Run, str], status: int) -> None:
        """That of one run is not told again until it changes; of several, any may be at fault."""
        if len(news) > 1:
            self._limit = self._limit.refused(news, status)
        else:
            for run, text in news.items():
                run._note_heard(text)
