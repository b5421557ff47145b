package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.ebb.contract.Limiter;
import dev.ebb.core.limit.ComingPermits;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Everything that speaks of a queue's rate says the same, in each state of its limiter. */
class QueueRatesTest {
  private static final int JOBS = 600;
  private static final String PAUSED = "Nothing starts until the queue is resumed.";

  /** A rate that recovers moves a little between two answers. */
  private static final Percentage CLOSE = Percentage.withPercentage(8);

  private static final double MINUTE = 60;
  private static final double HOUR = 3_600;
  private static final double[] UNITS = {1, MINUTE, HOUR, 24 * HOUR};

  private static final String LIMIT =
      "\"rateLimit\":{\"permitsPerSecond\":%s,\"warmUp\":\"PT60S\",\"coldFactor\":4}";

  /** The last of them is of its own kind. */
  private static final String DUE =
      """
      insert into ebb.job (run_at, attempt, max_attempts, priority, queue, kind, payload)
      select now() - interval '1 hour' + n * interval '1 millisecond', 0, 9, 5, 'q',
        case n when 600 then 'last' else 'k' end, '1'
      from generate_series(1, 600) n
      """;

  /** One that could run any of them. */
  private static final String NODE =
      """
      insert into ebb.node (name, version, settings_hash, queues, kinds, concurrency)
      values ('n', '1', 'hash', '{}', '{k,last}', 50)
      """;

  /** A hundred jobs a second completed lately, so that nothing but the limiter slows the rest. */
  private static final String COMPLETED =
      """
      insert into ebb.tally (at, counter, queue, kind, number)
      values
        (now() - interval '1 hour', 1, 'q', 'k', 30600),
        (now() - interval '2 minutes', 2, 'q', 'k', 30000),
        (now() - interval '2 minutes', 3, 'q', 'k', 30000)
      """;

  /** What was told once, by state and rate: it is only read. */
  private static final Map<String, Told> TOLD = new HashMap<>();

  /** What a limiter may be in. */
  enum State {
    NO_LIMIT(null, null),
    COLD(LIMIT, null),
    WARMING(LIMIT, "0.75, null, null, null, null"),
    FULL(LIMIT, "0, null, null, null, null"),
    // A cut of the future counts as one of this moment.
    CUT(LIMIT, "0, 1, 0.5, now() + interval '1 day', now() + interval '1 day'"),
    RECOVERING(LIMIT, "0, 0.3, 0.5, now() - interval '8 s', now() - interval '8 s'"),
    PAUSED(LIMIT, "0, null, null, null, null"),
    CONCURRENCY_ONLY("\"maxConcurrency\":3", null);

    private final @Nullable String settings;
    private final @Nullable String limiter;

    State(@Nullable String settings, @Nullable String limiter) {
      this.settings = settings;
      this.limiter = limiter;
    }

    private boolean isLimited() {
      return LIMIT.equals(settings);
    }

    private boolean isCut() {
      return this == CUT || this == RECOVERING;
    }
  }

  /** Everything that speaks of a queue in a state, as it was answered within a moment. */
  private record Told(
      JsonNode limiter,
      JsonNode forecast,
      JsonNode waiting,
      JsonNode findings,
      String page,
      String queues,
      String overview) {

    static Told of(UiServer server) {
      String last = server.get("/v1/jobs?queue=q&kind=last").json().at("/items/0/id").asString();
      return new Told(
          server.get("/v1/queues/q/limiter").json(),
          server.get("/v1/stats/forecast?queue=q").json(),
          server.get("/v1/jobs/" + last + "/waiting").json(),
          server.get("/v1/findings").json(),
          server.get("/ui/queues/q?permitsPerSecond=1000").body(),
          server.get("/ui/queues").body(),
          server.get("/ui").body());
    }

    /** What stands below the drawing of a card. */
    String caption(String card) {
      return found("<h2>" + card + "</h2>(?s:.*?)<(?:figcaption|p class=\"empty\")>(.*?)<", page);
    }

    /** What the page begins with. */
    String sentence() {
      return found("<p class=\"sentence\">(.*?)</p>", page);
    }

    /** A figure of the first card. */
    String now(String name) {
      return found("<dt>" + name + "</dt><dd>(?:<a [^>]*>)?([^<]+)", page);
    }

    JsonNode reason(String code) {
      return waiting
          .path("reasons")
          .valueStream()
          .filter(one -> one.path("code").asString().equals(code))
          .findAny()
          .orElse(MissingNode.getInstance());
    }
  }

  private static double figure(String pattern, String text) {
    return Double.parseDouble(found(pattern, text).replace(",", ""));
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }

  /** A length as a sentence has it, in seconds. */
  private static double seconds(String length) {
    Matcher part = Pattern.compile("(\\d+) (d|h|min|s)").matcher(length);
    double seconds = 0;
    while (part.find()) {
      int unit = List.of("s", "min", "h", "d").indexOf(part.group(2));
      seconds += UNITS[unit] * Double.parseDouble(part.group(1));
    }
    return seconds;
  }

  private static Told told(State state, double rate) {
    return TOLD.computeIfAbsent(state + " at " + rate, _ -> ask(state, rate));
  }

  private static Told ask(State state, double rate) {
    try (UiServer server = UiServer.open()) {
      bring(server, state, rate);
      return Told.of(server);
    }
  }

  private static void bring(UiServer server, State state, double rate) {
    if (state.settings != null) {
      String settings = "{\"paused\":false," + state.settings.formatted(rate) + "}";
      assertThat(server.put("/v1/queues/q", settings).status()).isEqualTo(201);
    }
    server.execute(NODE);
    server.execute(DUE);
    server.execute(COMPLETED);
    if (state == State.PAUSED) {
      server.post("/v1/queues/q/pause", "{}");
    }
    if (state.limiter != null) {
      String[] values = state.limiter.split(", ", 2);
      server.execute(
          """
          insert into ebb.limiter (
            queue, coldness, next_free_at, cut_ceiling, cut_factor, cut_at, cut_quiet_since)
          values ('q', %s, now() + interval '1 hour', %s)
          """
              .formatted(values[0], values[1]));
    }
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void the_rate_now_is_the_same_in_every_card_sentence_and_answer(State state) {
    Told told = told(state, 4);
    if (!state.isLimited()) {
      assertThat(told.limiter.path("phase").asString()).isEqualTo("unlimited");
      assertThat(told.reason("rate_limit").isMissingNode()).isTrue();
      assertThat(told.forecast.has("permitsPerMinute")).isFalse();
      assertThat(told.caption("Due within the hour")).doesNotContain("rate limit");
      assertThat(told.caption("What if")).endsWith("Current: " + unlimited(state));
      assertThat(told.caption("Warm-up")).startsWith(unlimited(state));
      assertThat(told.queues).contains("no limit");
      return;
    }
    double now = told.limiter.path("currentRate").asDouble();
    double starts = state == State.PAUSED ? 0 : now;

    assertThat(figure("aria-label=\"\\w+: ([\\d.]+)/s of 4/s\"", told.queues))
        .isCloseTo(starts, CLOSE);
    assertThat(figure("aria-label=\"\\w+, ([\\d.]+) of 4/s\"", told.overview))
        .isCloseTo(starts, CLOSE);
    if (state == State.PAUSED) {
      assertThat(told.caption("Warm-up")).endsWith(PAUSED);
      assertThat(told.caption("Due within the hour")).endsWith(PAUSED);
      assertThat(told.caption("What if")).contains("If the queue were not paused: ");
      assertThat(told.forecast.at("/minutes/0").has("permits")).isFalse();
      assertThat(told.reason("rate_limit").isMissingNode()).isTrue();
      return;
    }
    String warmUp = told.caption("Warm-up");
    assertThat(figure("^(?:Cold: starts at|Warming up:|Warm:) ([\\d.]+)/s", warmUp))
        .isCloseTo(now, CLOSE);
    JsonNode waiting = told.reason("rate_limit");
    assertThat(waiting.path("rate").asDouble()).isCloseTo(now, CLOSE);
    assertThat(figure("lets ([\\d.]+) jobs? a second", waiting.path("sentence").asString()))
        .isCloseTo(now, CLOSE);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"COLD", "WARMING", "FULL", "CUT", "RECOVERING"})
  void the_full_rate_is_what_a_cut_leaves_of_it_wherever_it_is_told(State state) {
    Told told = told(state, 4);
    double full = told.limiter.path("stableRate").asDouble();
    String findings = told.findings.toString();

    assertThat(told.forecast.path("permitsPerMinute").asDouble() / MINUTE).isCloseTo(full, CLOSE);
    assertThat(told.limiter.has("throttledAt")).isEqualTo(state.isCut());
    assertThat(told.limiter.has("recovery")).isEqualTo(state.isCut());
    if (state.isCut()) {
      assertThat(figure("full rate is cut to ([\\d.]+)/s", told.caption("Warm-up")))
          .isCloseTo(full, CLOSE);
      assertThat(figure("its full rate is ([\\d.]+) instead of 4 jobs", findings))
          .isCloseTo(full, CLOSE);
    } else {
      assertThat(full).isEqualTo(4);
      assertThat(told.caption("Warm-up") + findings).doesNotContain("cut to", "throttles");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "COLD, 4", "WARMING, 4", "FULL, 4", "CUT, 4", "RECOVERING, 4",
    "COLD, 0.1", "WARMING, 0.1", "FULL, 0.1", "CUT, 0.1", "RECOVERING, 0.1"
  })
  void the_time_to_catch_up_is_the_same_in_every_card_sentence_and_answer(
      State state, double rate) {
    Told told = told(state, rate);
    double caughtUp = seconds(found("Caught up in about ([^,]+),", told.caption("Warm-up")));
    String drained = found("<dt>Drained in</dt><dd>~([^<]+)<", told.page);
    Instant last = Instant.parse(told.reason("rate_limit").path("expectedAt").asString());
    Instant asOf = Instant.parse(told.forecast.path("asOf").asString());

    assertThat(Duration.between(asOf, last).toMillis() / 1e3)
        .isCloseTo(caughtUp, withinPercentage(4 + 100 * 10 / caughtUp));
    assertThat(found("Current: Caught up in about ([^,]+),", told.caption("What if")))
        .satisfies(length -> assertThat(seconds(length)).isCloseTo(caughtUp, CLOSE));
    assertThat(caughtUp).isBetween(0.95 * seconds(drained), seconds(drained) + coarse(drained));
    assertThat(told.queues).contains(">~" + drained + "<");
    String forecast = told.caption("Due within the hour");
    assertThat(forecast.contains("enough for these")).isEqualTo(caughtUp < HOUR);
    assertThat(forecast.contains("too few for all of them")).isEqualTo(caughtUp > HOUR);
    assertThat(permits(told.forecast) >= JOBS).isEqualTo(caughtUp < HOUR);
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"COLD", "WARMING", "FULL", "CUT", "RECOVERING"})
  void the_forecast_tells_the_permits_of_a_minute_as_the_limiter_comes_to_grant_them(State state) {
    Told told = told(state, 4);
    ComingPermits coming =
        ComingPermits.of(JsonMapper.shared().treeToValue(told.limiter, Limiter.class));
    JsonNode minutes = told.forecast.path("minutes");

    for (int i : new int[] {0, 1, 2, 59}) {
      assertThat(minutes.path(i).path("permits").asDouble())
          .isCloseTo(coming.permits(MINUTE * (i + 1)) - coming.permits(MINUTE * i), CLOSE);
    }
    String sentence = told.caption("Due within the hour");
    String first = "lets through ([\\d.,]+)(?: in the first minute, rising to 240)? a minute";
    assertThat(figure(first, sentence)).isCloseTo(minutes.at("/0/permits").asDouble(), CLOSE);
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void the_sentence_and_every_card_of_a_page_tell_the_same_figures(State state) {
    Told told = told(state, 4);
    String sentence = told.sentence();
    String due = told.now("Due and waiting");

    assertThat(due).isEqualTo("600");
    assertThat(found("([\\d,]+) due jobs? waits?", sentence)).isEqualTo(due);
    assertThat(found("and ([\\d,]+) jobs wait", told.caption("What if"))).isEqualTo(due);
    assertThat(found("^([\\d,]+) due already", told.caption("Due within the hour"))).isEqualTo(due);
    assertThat(found("the oldest for ([^.;]+)[.;]", sentence)).isEqualTo(told.now("Oldest due"));
    assertThat(found("The backlog [^<]*?([\\d,]+)\\.<", told.page)).isEqualTo(told.now("Jobs"));
    assertThat(found("<h2>Running now</h2> <span class=\"hint\">(\\d+) jobs", told.page))
        .isEqualTo(told.now("In flight").strip());
    if (state.isLimited()) {
      assertThat(found("and ([\\d,]+) jobs wait", told.caption("Warm-up"))).isEqualTo(due);
    }
    if (state.isLimited() && state != State.PAUSED) {
      assertThat(found("caught up in about ([^.]+)\\.", sentence))
          .isEqualTo(found("Caught up in about ([^,]+),", told.caption("Warm-up")));
    }
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void the_sentence_tells_the_rate_that_the_limiter_has(State state) {
    Told told = told(state, 4);
    String sentence = told.sentence();
    switch (state) {
      case NO_LIMIT, CONCURRENCY_ONLY ->
          assertThat(found("^q finishes ([\\d,]+) jobs a minute;", sentence))
              .isEqualTo(told.now("In / out a minute").replaceFirst(".* / ", ""));
      case PAUSED -> assertThat(sentence).startsWith("q has been paused for ");
      case CUT, RECOVERING -> {
        assertThat(figure("is throttled to ([\\d.]+)/s of 4/s", sentence))
            .isCloseTo(told.limiter.path("stableRate").asDouble(), CLOSE);
        assertThat(sentence).contains("<time datetime=\"");
      }
      default ->
          assertThat(figure("(?:now|is at its rate limit,) ([\\d.]+)/s", sentence))
              .isCloseTo(told.limiter.path("currentRate").asDouble(), CLOSE);
    }
  }

  private static String unlimited(State state) {
    return "No rate limit: jobs start as soon as they are due and a worker is free"
        + (state == State.NO_LIMIT ? "." : ", up to 3 at a time.");
  }

  /** The unit down to which the length was cut. */
  private static double coarse(String length) {
    return seconds(length.replaceFirst("\\d+", "1")) + 1;
  }

  private static double permits(JsonNode forecast) {
    return forecast
        .path("minutes")
        .valueStream()
        .mapToDouble(minute -> minute.path("permits").asDouble())
        .sum();
  }
}
