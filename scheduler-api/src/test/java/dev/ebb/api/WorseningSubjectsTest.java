package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which subjects get worse, over REST. */
class WorseningSubjectsTest {
  private static final String PATH = "/v1/subjects/worsening";

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  private void count(int minutesAgo, String subjects, String attempts, String failed) {
    api.execute(
        """
        insert into ebb.subject_stat
        select
          date_trunc('minute', now()) - interval '%s minutes', gen_random_uuid(), '{%s}', '{%s}',
          '{%s}'
        """
            .formatted(minutesAgo, subjects, attempts, failed));
  }

  @Test
  void the_steepest_rise_comes_first_with_its_shares_and_minutes() {
    api.execute("update ebb.settings set subject = 'merchant'");
    count(30, "acme,bravo,null", "400,400,10", "4,4,2");
    count(5, "acme,bravo,null", "50,50,20", "20,40,5");

    JsonNode list = api.get(PATH).json();

    assertThat(list.path("label").asString()).isEqualTo("merchant");
    assertThat(list.path("counted").asInt()).isEqualTo(930);
    assertThat(list.at("/items/0/subject").asString()).isEqualTo("bravo");
    assertThat(list.at("/items/1/subject").asString()).isEqualTo("acme");
    assertThat(list.at("/items/0/before/share").asDouble()).isEqualTo(0.01);
    assertThat(list.at("/items/0/now/share").asDouble()).isEqualTo(0.8);
    assertThat(list.at("/items/0/slope").asDouble()).isEqualTo(0.79);
    assertThat(list.at("/items/0/slopeAtLeast").asDouble()).isBetween(0.6, 0.7);
    assertThat(list.at("/items/0/points").size()).isEqualTo(2);
    assertThat(list.at("/items/0/points/1/failed").asInt()).isEqualTo(40);
    assertThat(list.at("/others/now/failed").asInt()).isEqualTo(5);
    assertThat(list.at("/others/before/share").asDouble()).isEqualTo(0.2);
    assertThat(api.get(PATH + "?limit=1").json().path("items").size()).isOne();
  }

  @Test
  void where_nothing_was_counted_no_share_is_said() {
    JsonNode list = api.get(PATH).json();

    assertThat(list.path("counted").asInt()).isZero();
    assertThat(list.path("items").size()).isZero();
    assertThat(list.at("/others/now").has("share")).isFalse();
    assertThat(list.has("label")).isFalse();
  }

  @Test
  void a_list_that_is_too_long_is_refused() {
    assertThat(api.get(PATH + "?limit=51").status()).isEqualTo(400);
  }
}
