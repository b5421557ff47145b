package dev.ebb.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.query.JobFacts;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.Phase;
import dev.ebb.db.event.Event;
import dev.ebb.db.event.Event.ChangeEvent;
import dev.ebb.db.event.Event.JobEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What streams with one filter are told at once is what each would have been told alone. */
class FilteredNewsTest {
  private static final Instant AT = Instant.parse("2027-01-31T08:00:00Z");
  private static final EventFilter ALL = new EventFilter(JobFilter.ALL, Set.of());

  private static News job(int id, String queue) {
    JobFacts facts =
        new JobFacts(
            new UUID(1, id),
            Phase.COMPLETED,
            queue,
            "a",
            null,
            Map.of(),
            1,
            AT,
            "",
            AT,
            null,
            null);
    return new News(new JobEvent(id, facts, id % 3 == 0 ? "failed" : "completed", null));
  }

  private static News change(int id) {
    return new News(new ChangeEvent(id, AT, "queue.pause", "q" + id, 1));
  }

  private static List<News> read(Random random, int most) {
    List<News> news = new ArrayList<>();
    int events = random.nextInt(most);
    for (int i = 0; i < events; i++) {
      news.add(random.nextInt(20) == 0 ? change(i) : job(i, "q" + random.nextInt(7)));
    }
    return news;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 40, 130, 400})
  void several_reads_are_told_as_if_one_by_one(int most) {
    Random random = new Random(most);
    for (int round = 0; round < 200; round++) {
      Outbox alone = new Outbox();
      Outbox together = new Outbox();
      for (int read = random.nextInt(4); read >= 0; read--) {
        List<News> news = read(random, most);
        FilteredNews filtered = new FilteredNews(ALL, news);
        filtered.changes().forEach(alone::add);
        filtered.jobs().forEach(alone::add);
        together.addAll(filtered);
        // Another stream, which is told more, must not change what this one has.
        Outbox other = new Outbox();
        other.addAll(filtered);
        other.add(job(99, "other"));
      }
      assertThat(together.take()).isEqualTo(alone.take());
      assertThat(together.isEmpty()).isTrue();
    }
  }

  @Test
  void sums_are_written_once_for_all_streams_of_a_filter() {
    List<News> news = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      news.add(job(i, "q"));
    }
    FilteredNews filtered = new FilteredNews(ALL, news);

    assertThat(filtered.sums().json()).isSameAs(filtered.sums().json());
    assertThat(new EventFilter(JobFilter.ALL, Set.of())).isEqualTo(ALL).hasSameHashCodeAs(ALL);
  }

  @Test
  void a_filter_lets_only_its_own_through() {
    List<News> news = List.of(job(1, "q"), change(2));
    Event first = news.getFirst().event();
    UUID id = ((JobEvent) first).facts().id();

    assertThat(new FilteredNews(new EventFilter(JobFilter.ALL, Set.of(id)), news).all())
        .containsExactly(news.getFirst());
  }
}
