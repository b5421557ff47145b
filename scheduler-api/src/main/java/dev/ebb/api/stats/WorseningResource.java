package dev.ebb.api.stats;

import dev.ebb.api.http.Answer;
import dev.ebb.contract.FailingShare;
import dev.ebb.contract.WorseningList;
import dev.ebb.contract.WorseningSubject;
import dev.ebb.core.stats.Proportion;
import dev.ebb.db.stats.SubjectTrend;
import dev.ebb.db.stats.SubjectTrends;
import java.util.Objects;

/** Shows subjects that get worse. */
final class WorseningResource {
  private static final double PRECISION = 10_000;

  private WorseningResource() {}

  static WorseningList of(SubjectTrends trends) {
    SubjectTrend others = trends.others();
    return new WorseningList(
        Answer.shown(trends.asOf()),
        trends.label(),
        trends.counted(),
        trends.rising().stream().map(WorseningResource::item).toList(),
        new WorseningList.Others(share(others.before()), share(others.now())));
  }

  private static WorseningSubject item(SubjectTrend trend) {
    double now = trend.now().share().orElseThrow();
    double before = trend.before().share().orElseThrow();
    return new WorseningSubject(
        Objects.requireNonNull(trend.subject()),
        share(trend.before()),
        share(trend.now()),
        rounded(now - before),
        rounded(trend.riseAtLeast()),
        trend.points().stream()
            .map(point -> new WorseningSubject.Point(point.at(), point.attempts(), point.failed()))
            .toList());
  }

  private static FailingShare share(Proportion failed) {
    return new FailingShare(
        failed.whole(),
        failed.part(),
        failed.whole() == 0 ? null : rounded((double) failed.part() / failed.whole()));
  }

  private static double rounded(double share) {
    return Math.round(share * PRECISION) / PRECISION;
  }
}
