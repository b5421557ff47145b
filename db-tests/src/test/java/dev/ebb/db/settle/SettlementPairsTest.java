package dev.ebb.db.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.Failure;
import dev.ebb.core.job.Outcome;
import dev.ebb.core.job.Settlement;
import dev.ebb.db.Bench;
import dev.ebb.db.claim.ClaimedJob;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every outcome with every settlement, against the constraints of the real tables. */
class SettlementPairsTest {
  private static final Map<Class<?>, Object> VALUES =
      Map.of(
          Failure.class,
          new Failure("reason", "message"),
          Duration.class,
          Duration.ofSeconds(3),
          String.class,
          "text",
          boolean.class,
          true);

  private record Pair(Outcome outcome, Settlement settlement) {}

  /** One of each variant of a sealed type, whatever variants there are. */
  private static <T> List<T> variants(Class<T> type) {
    return Stream.of(type.getPermittedSubclasses()).map(one -> type.cast(instance(one))).toList();
  }

  private static Object instance(Class<?> variant) {
    Object[] values =
        Stream.of(variant.getRecordComponents())
            .map(RecordComponent::getType)
            .map(VALUES::get)
            .toArray();
    Constructor<?> canonical =
        Stream.of(variant.getDeclaredConstructors())
            .max(Comparator.comparingInt(Constructor::getParameterCount))
            .orElseThrow();
    try {
      return canonical.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(variant.getName(), e);
    }
  }

  private static List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (Outcome outcome : variants(Outcome.class)) {
      for (Settlement settlement : variants(Settlement.class)) {
        pairs.add(new Pair(outcome, settlement));
      }
    }
    return pairs;
  }

  @Test
  void every_pair_is_written_and_its_attempt_can_be_read() throws SQLException {
    assertThat(pairs()).hasSizeGreaterThanOrEqualTo(42);
    try (Bench bench = new Bench()) {
      for (Pair pair : pairs()) {
        UUID id = bench.submitOne();
        ClaimedJob claimed = bench.claimOne();

        assertThat(bench.settle(claimed, pair.outcome, pair.settlement)).as("%s", pair).isTrue();

        assertThat(bench.reads.find(id)).as("%s", pair).isPresent();
        boolean isSnooze = pair.settlement instanceof Settlement.Snooze;
        assertThat(bench.attempts(id)).as("%s", pair).hasSize(isSnooze ? 0 : 1);
        bench.execute("delete from ebb.job");
      }
    }
  }
}
