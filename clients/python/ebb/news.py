"""How far runs are, as one renewal tells it."""

from __future__ import annotations

from typing import Dict, Iterable, NamedTuple

from .runs import Run

# Half of the body that a server takes unless it is set up otherwise; around each stand its job's
# id, quotes, a colon and a comma.
_MOST_NEWS = 32 * 1024
_NEWS_OVERHEAD = 42
_ANY = 1 << 30
_TOO_LARGE = 413


def _size(text: str) -> int:
    return _NEWS_OVERHEAD + len(text.encode())


class NewsLimit(NamedTuple):
    """How much a renewal tells, of how many runs. A server that refuses it gets half the next
    time, so that the one of many that it cannot take comes to stand alone.
    """

    size: int = _MOST_NEWS
    runs: int = _ANY

    def refused(self, news: Dict[Run, str], status: int) -> NewsLimit:
        """How large a body may be stays as it is; a wrong value of one run passes."""
        if status == _TOO_LARGE:
            return self._replace(size=sum(map(_size, news.values())) // 2)
        return self._replace(runs=max(1, len(news) // 2))

    def taken(self) -> NewsLimit:
        return self._replace(runs=min(_ANY, self.runs * 2))

    def news(self, runs: Iterable[Run]) -> Dict[Run, str]:
        """What has changed since it was last heard, as much of it as a request may carry, and at
        least that of one; those that were heard of longest ago come first, so that each has its
        turn.
        """
        news: Dict[Run, str] = {}
        size = 0
        for run in sorted(runs, key=lambda run: run._heard_at):
            text = run._unheard()
            if text is not None:
                size += _size(text)
                if news and (size > self.size or len(news) == self.runs):
                    break
                news[run] = text
        return news
