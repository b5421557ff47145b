package dev.ebb.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.ui.UiServer.Answer;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The jobs of a queue, more than a count looks at one by one, wherever their number is shown. */
class CountsAgreeTest {
  private static final int BATCHES = 12;
  private static final int BATCH = 1_000;
  private static final String MANY = "12,000";

  private static UiServer server;

  @BeforeAll
  static void start() {
    server = UiServer.open();
    for (int i = 0; i < BATCHES; i++) {
      submit("bulk");
    }
    submit("other");
    server.execute(
        """
        select ebb.recount_queues();
        update ebb.stat_state set exact_since = now();
        """);
  }

  private static void submit(String queue) {
    String job = "{\"kind\":\"report\",\"queue\":\"" + queue + "\",\"payload\":1}";
    String jobs = String.join(",", Collections.nCopies(BATCH, job));
    Answer stored = server.post("/v1/jobs/batch", "{\"jobs\":[" + jobs + "]}");
    assertThat(stored.status()).as(stored.body()).isBetween(200, 299);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String page(String path) {
    Answer answer = server.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String number(String pattern, String html) {
    Matcher found = Pattern.compile(pattern).matcher(html);
    assertThat(found.find()).as(pattern + " in " + html).isTrue();
    return found.group(1);
  }

  @Test
  void every_count_of_one_set_is_the_same_number_wherever_it_is_shown() {
    String waiting = "queue%3Abulk+state%3Aavailable";
    String counted = page("/ui/jobs/count?act=true&q=" + waiting);

    Set<String> shown =
        new TreeSet<>(
            List.of(
                number("(~?[0-9,]+) jobs", counted),
                number("Act on all (~?[0-9,]+) matching", counted),
                number("(?s)>bulk</a>.*?>(~?[0-9,]+)<", page("/ui")),
                number("(?s)>bulk</a>.*?>(~?[0-9,]+)<", page("/ui/queues")),
                number("(" + MANY + ")", page("/ui/queues/bulk"))));

    assertThat(shown).containsExactly(MANY);
  }

  @Test
  void the_list_asks_for_its_number_once() {
    String list = page("/ui/jobs?q=queue%3Abulk");

    assertThat(Pattern.compile("hx-get=\"[^\"]*count").matcher(list).results()).hasSize(1);
    assertThat(list).contains("id=\"act-on-all\"");
  }

  @Test
  void what_counters_know_is_exact_and_what_they_do_not_is_said_to_be_a_guess() {
    assertThat(counts("state:available")).isEqualTo("13000 true");
    assertThat(counts("queue:bulk,other state:available,running,dead")).isEqualTo("13000 true");
    assertThat(counts("queue:bulk state:running")).isEqualTo("0 true");
    assertThat(counts("queue:bulk kind:report")).endsWith(" false");
    assertThat(Stream.of("queue:bulk", "queue:bulk state:due").map(CountsAgreeTest::counts))
        .allMatch(Objects::nonNull)
        .allSatisfy(count -> assertThat(count).endsWith(" false"));
  }

  private static String counts(String query) {
    JsonNode count = server.get("/v1/jobs/count?q=" + query.replace(" ", "+")).json();
    return count.path("count").asInt() + " " + count.path("exact").asBoolean();
  }
}
