package dev.ebb.api.destinations;

import static java.util.Objects.requireNonNull;

import dev.ebb.api.http.Answer;
import dev.ebb.api.stats.OverviewResource;
import dev.ebb.api.stats.ShareResource;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.DestinationHealth;
import dev.ebb.contract.QueueStanding;
import dev.ebb.contract.StatsOverview;
import dev.ebb.core.stats.Proportion;
import dev.ebb.db.queue.Circuits;
import dev.ebb.db.queue.Trouble;
import dev.ebb.db.stats.DestinationFigures;
import dev.ebb.db.stats.DestinationStat;
import dev.ebb.db.stats.DestinationStats;
import dev.ebb.db.stats.SubjectReads;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads how destinations do: a few statements, however many they are. */
public final class HealthReader {
  private static final double MOST_RUNS = 0.95;

  private final DestinationStats stats;
  private final SubjectReads trends;
  private final Circuits circuits;

  HealthReader(DestinationStats stats, SubjectReads trends, Circuits circuits) {
    this.stats = stats;
    this.trends = trends;
    this.circuits = circuits;
  }

  /** The destinations that get worse for sure, and by how much. */
  List<Trouble> worsening() throws SQLException {
    return trends.worseDestinations().stream()
        .map(trend -> new Trouble(trend.riseAtLeast(), requireNonNull(trend.subject())))
        .toList();
  }

  /** How these do, by their names. */
  Map<String, DestinationHealth> of(Collection<String> destinations, List<Trouble> worsening)
      throws SQLException {
    DestinationFigures figures = stats.of(destinations);
    StatsOverview overview = OverviewResource.of(figures.overview());
    Map<String, Circuit> troubled =
        circuits.troubled(destinations).stream()
            .collect(Collectors.toMap(view -> view.queue(), CircuitResource::of));
    Map<String, Double> worse =
        worsening.stream().collect(Collectors.toMap(Trouble::destination, Trouble::degree));
    Map<String, DestinationHealth> healths = new HashMap<>();
    for (QueueStanding one : overview.items()) {
      String name = requireNonNull(one.queue());
      DestinationStat stat = requireNonNull(figures.ended().get(name));
      healths.put(name, health(one, stat, troubled.get(name), worse.get(name), overview));
    }
    return healths;
  }

  private static DestinationHealth health(
      QueueStanding standing,
      DestinationStat stat,
      @Nullable Circuit circuit,
      @Nullable Double worseBy,
      StatsOverview overview) {
    return new DestinationHealth(
        requireNonNull(standing.queue()),
        overview.asOf(),
        overview.complete(),
        circuit,
        worseBy == null ? null : ShareResource.rounded(worseBy),
        ShareResource.of(stat.lately()),
        ShareResource.of(stat.usually()),
        stat.runs().quantile(MOST_RUNS).orElse(null),
        standing,
        new DestinationHealth.LastDay(
            Answer.shown(stat.from()),
            stat.quarters().stream().map(Proportion::whole).toList(),
            stat.quarters().stream().map(Proportion::part).toList()));
  }
}
