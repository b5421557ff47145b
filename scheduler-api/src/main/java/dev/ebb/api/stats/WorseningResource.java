package dev.ebb.api.stats;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.WorseningList;
import dev.ebb.contract.WorseningSubject;
import dev.ebb.db.stats.SubjectTrend;
import dev.ebb.db.stats.SubjectTrends;
import java.util.Objects;

/** Shows subjects that get worse. */
final class WorseningResource {
  private WorseningResource() {}

  static WorseningList of(SubjectTrends trends) {
    SubjectTrend others = trends.others();
    return new WorseningList(
        Answer.shown(trends.asOf()),
        trends.label(),
        trends.counted(),
        trends.rising().stream().map(WorseningResource::item).toList(),
        new WorseningList.Others(
            ShareResource.of(others.before()), ShareResource.of(others.now())));
  }

  private static WorseningSubject item(SubjectTrend trend) {
    double now = trend.now().share().orElseThrow();
    double before = trend.before().share().orElseThrow();
    return new WorseningSubject(
        Objects.requireNonNull(trend.subject()),
        ShareResource.of(trend.before()),
        ShareResource.of(trend.now()),
        ShareResource.rounded(now - before),
        ShareResource.rounded(trend.riseAtLeast()),
        trend.points().stream()
            .map(point -> new WorseningSubject.Point(point.at(), point.attempts(), point.failed()))
            .toList());
  }
}
