package dev.ebb.ui.standing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Queue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class QueueSentenceTest {
  private static final Queue.Pause PAUSE =
      new Queue.Pause(Standings.NOON.minusSeconds(725), "anna", "bank window", null);

  /** A limiter, by the words that tell of it where nothing worse is told. */
  enum Limit {
    NONE("q finishes 0 jobs a minute"),
    COLD("q warms up: now 5/s, rising to 20/s"),
    WARMING("q warms up: now 6.86/s, rising to 20/s"),
    WARM("q is at its rate limit, 20/s"),
    CUT("q is throttled to 2/s of 20/s: its receiver asked"),
    CUT_COLD("q is throttled to 2/s of 20/s, and warms up at 0.5/s: its receiver asked");

    private final String words;

    Limit(String words) {
      this.words = words;
    }

    private boolean isCut() {
      return this == CUT || this == CUT_COLD;
    }

    private Standings set(Standings one) {
      return switch (this) {
        case NONE -> one;
        case COLD -> one.limited("cold", 0, 1);
        case WARMING -> one.limited("warming", 30, 1);
        case WARM -> one.limited("warm", 60, 1);
        case CUT -> one.limited("warm", 60, 0.1);
        case CUT_COLD -> one.limited("cold", 0, 0.1);
      };
    }
  }

  /** A pause, by the words that tell of it. */
  enum Pausing {
    NONE(""),
    BY_ANNA("q has been paused for 12 min by anna: bank window."),
    OF_UNKNOWN("q is paused."),
    OF_ALL("q starts nothing: the start of the whole cluster is paused.");

    private final String words;

    Pausing(String words) {
      this.words = words;
    }

    private Standings set(Standings one) {
      return switch (this) {
        case NONE -> one;
        case BY_ANNA -> one.paused(PAUSE);
        case OF_UNKNOWN -> one.paused(null);
        case OF_ALL -> one.startPaused();
      };
    }
  }

  /** A state of a queue. */
  record Case(Limit limit, Pausing pause, long due, long held, Serving nodes) {
    private Standings standings() {
      Standings one = Standings.of().due(due, 130).held(held).serving(nodes);
      return pause.set(limit.set(one));
    }

    /** How its sentence begins. */
    private String beginning() {
      if (pause != Pausing.NONE) {
        return pause.words;
      }
      if (nodes.isNone()) {
        return "q starts nothing: ";
      }
      if (due == 0 && !limit.isCut()) {
        return held == 0 ? "q is idle: nothing waits" : "q has nothing to start: 7 jobs are held";
      }
      return nodes == Serving.FULL && !limit.isCut() ? "q waits for a free slot" : limit.words;
    }
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Limit limit : Limit.values()) {
      for (Pausing pause : Pausing.values()) {
        for (long due : new long[] {0, 1, 53_000}) {
          for (Serving nodes : Serving.values()) {
            cases.add(new Case(limit, pause, due, 0, nodes));
            cases.add(new Case(limit, pause, due, 7, nodes));
          }
        }
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void the_sentence_of_every_state_tells_the_worst_first_and_how_many_jobs_wait(Case one) {
    String told = one.standings().told();

    assertThat(told).startsWith(one.beginning()).endsWith(".");
    assertThat(told)
        .containsPattern(
            one.due == 0
                ? "(o due job|nothing) waits|has nothing to start"
                : one.due == 1
                    ? "1 due job waits, the oldest for 2 min"
                    : "53,000 due jobs wait, the oldest for 2 min")
        .doesNotContain("NaN", "null", "..", " .", "  ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NO_WORKER    | no worker is running.",
        "KIND_UNKNOWN | no running node has a handler for the kind k.",
        "NOT_SERVED   | no running node serves it.",
        "DRAINING     | each node that serves it is draining."
      })
  void a_queue_that_no_node_serves_says_why(Serving nodes, String why) {
    assertThat(Standings.of().serving(nodes).told())
        .isEqualTo("q starts nothing: " + why + " No due job waits.");
  }

  @Test
  void a_limited_queue_says_when_it_will_have_caught_up() {
    assertThat(Standings.of().limited("warm", 60, 1).due(53_000, 120).told())
        .isEqualTo(
            "q is at its rate limit, 20/s; 53,000 due jobs wait, the oldest"
                + " for 2 min; caught up in about 44 min 10 s.");
    assertThat(Standings.of().limited("warm", 60, 0.1).due(9, 100).lately("submitted", 900).told())
        .isEqualTo(
            "q is throttled to 2/s of 20/s: its receiver asked for less, last at"
                + " 2026-01-01T11:58:30Z; 9 due jobs wait, the oldest for 1 min; it will not catch"
                + " up.");
  }

  @Test
  void a_pause_with_an_end_names_it_and_nobody_is_named_where_nobody_signs_in() {
    Queue.Pause pause =
        new Queue.Pause(
            Standings.NOON.minusSeconds(50), "anybody", "Why?", Standings.NOON.plusSeconds(60));

    assertThat(Standings.of().paused(pause).due(2, 5).told())
        .isEqualTo(
            "q has been paused for 50 s, until 2026-01-01T12:01:00Z: Why? 2 due jobs wait, the"
                + " oldest for 5 s.");
  }

  @Test
  void a_queue_whose_attempts_fail_says_how_many_of_them() {
    Standings failing = Standings.of().lately("failed", 9).lately("completed", 11).due(3, 200);

    assertThat(failing.told())
        .isEqualTo(
            "q is failing: 45 % of attempts failed in the last 5 minutes. 3 due jobs wait, the"
                + " oldest for 3 min.");
    assertThat(Standings.of().lately("failed", 8).lately("completed", 11).told())
        .as("too few to tell")
        .startsWith("q is idle");
  }

  @Test
  void a_queue_at_its_most_running_jobs_says_so_only_while_others_wait() {
    Standings full = Standings.of().most(7).running(7).lately("completed", 300);

    assertThat(full.told()).isEqualTo("q keeps up: 7 jobs run, and no due job waits.");
    assertThat(full.due(53, 61).told())
        .isEqualTo(
            "q runs 7 jobs of at most 7 at a time; 53 due jobs wait, the oldest for 61 s; drained"
                + " in ~60 s.");
  }

  @Test
  void a_queue_that_starts_nothing_of_what_is_due_is_stalled_unless_its_limit_is_that_slow() {
    assertThat(Standings.of().due(4, 400).told())
        .isEqualTo(
            "q has started nothing for 5 minutes, for no known reason: check the workers' logs."
                + " 4 due jobs wait, the oldest for 6 min.");
    assertThat(Standings.of().limited("warm", 60, 1).due(4, 400).told()).contains("for no known");
    assertThat(Standings.of().due(4, 400).lately("started", 1).told()).doesNotContain("no known");
    assertThat(Standings.of().due(4, 400).running(1).told()).doesNotContain("no known");
    assertThat(Standings.of().due(4, 200).told()).doesNotContain("no known");
  }

  @ParameterizedTest
  @CsvSource({"9, ', the next at about 2026-01-01T12:09:00Z.'", "-1, ', none within the hour.'"})
  void a_queue_with_nothing_due_says_when_the_next_job_is(int minutes, String next) {
    assertThat(Standings.of().later(12, minutes).told())
        .isEqualTo("q has nothing due: 12 jobs wait for later" + next);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 0 | -1 | 1 job is held; none becomes due within the hour.",
        "7 | 0 | -1 | 7 jobs are held; none becomes due within the hour.",
        "7 | 4 | -1 | 7 jobs are held, 4 others wait for later; none becomes due within the hour.",
        "7 | 1 | 9  | 7 jobs are held, 1 other waits for later; the next becomes due at about NINE."
      })
  void a_queue_whose_jobs_are_held_says_how_many_of_them(
      long held, long others, int minutes, String words) {
    assertThat(Standings.of().held(held).later(others, minutes).told())
        .isEqualTo("q has nothing to start: " + words.replace("NINE", "2026-01-01T12:09:00Z"));
    assertThat(Standings.of().held(held).later(others, minutes).running(1).told())
        .isEqualTo("q keeps up: 1 job runs, and no due job waits.");
  }

  @Test
  void the_number_of_held_jobs_is_an_estimate_where_it_was_not_counted() {
    assertThat(Standings.of().held(7).estimated().told()).contains("~7 jobs are held");
    assertThat(Standings.of().later(7, -1).estimated().told()).doesNotContain("held");
  }

  @Test
  void a_throttled_queue_names_its_receiver_where_that_is_known() {
    assertThat(Standings.of().limited("warm", 60, 0.1).throttledBy("shop.example").told())
        .startsWith("q is throttled to 2/s of 20/s: shop.example asked for less, last at 2026-");
  }

  @ParameterizedTest
  @CsvSource({
    "completed, 12 jobs ended in the last 5 minutes",
    ", none ended in the last 15 minutes"
  })
  void an_idle_queue_says_what_it_did_lately(@Nullable String counter, String ended) {
    Standings idle = counter == null ? Standings.of() : Standings.of().lately(counter, 12);

    assertThat(idle.told()).isEqualTo("q is idle: nothing waits, and " + ended + ".");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "open|true|30|is failing with http_503, so jobs wait; one tries it at 2026-01-01T12:00:30Z.",
        "open|true|-1|is failing with http_503, so jobs wait; the next one tries it.",
        "half_open|true|9|is failing with http_503, so jobs wait; one is trying it now.",
        "held|false|90|asked us to wait until 2026-01-01T12:01:30Z."
      })
  void a_destination_for_which_jobs_wait_says_why_and_when_it_is_tried(
      String state, boolean open, int held, String told) {
    Standings kept = Standings.of().circuit(state, open, held).due(7, 40);

    assertThat(kept.told()).isEqualTo("q " + told + " 7 due jobs wait, the oldest for 40 s.");
  }

  @Test
  void an_estimate_tells_of_no_more_jobs_than_there_are() {
    QueueReading exact = Standings.of().due(100, 20).read();
    QueueReading many =
        new QueueReading(
            exact.queue(),
            new QueuePace(Standings.of().due(90, 20).read().pace().now(), Standings.NOON),
            null,
            Standings.of().due(100, 20).estimated().read().forecast(),
            exact.running(),
            Serving.FREE,
            null,
            null,
            null,
            null,
            false,
            Standings.NOON);

    assertThat(many.due()).isEqualTo(90);
    assertThat(many.forecast().overdue().byAttempt()).containsEntry("1", 90L);
    assertThat(Standings.told(many)).contains("~90 due jobs wait");
  }
}
