package dev.ebb.ui.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.AttemptForecast;
import dev.ebb.contract.Policy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class PolicyWordsTest {
  private static final Instant FIRST = Instant.parse("2027-01-02T03:04:05Z");
  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();

  private static Policy policy(String json) {
    return MAPPER.readValue(json.replace('\'', '"'), Policy.class);
  }

  private static AttemptForecast.Range at(double early, double middle, double late) {
    return new AttemptForecast.Range(hours(early), hours(middle), hours(late));
  }

  private static Instant hours(double hours) {
    return FIRST.plus(Duration.ofMillis(Math.round(hours * 3_600_000)));
  }

  @Test
  void a_policy_and_its_end_are_one_sentence() {
    Policy policy =
        policy("{'jitter':'full','base':'PT30S','factor':2,'cap':'PT6H','floor':'PT0S'}");

    assertThat(PolicyWords.sentence(policy, 13, 5, at(6.6, 10, 13.9), FIRST))
        .isEqualTo(
            "First try and up to 12 retries, full jitter, 30 s doubling to a 6 h cap; gives up"
                + " about 10 h after the first try, 8 times in 10 between 6.6 h and 13.9 h.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'jitter':'full','base':'PT30S','cap':'PT6H','floor':'PT5S' | 3 | full jitter, 30 s doubling to a 6 h cap, never under 5 s
          'jitter':'full','base':'PT1M','factor':1.5,'cap':'PT1H30M' | 3 | full jitter, 1 min times 1.5 each time to a 1 h 30 min cap
          'jitter':'full','base':'PT1M','factor':1,'cap':'PT1H' | 3 | full jitter, 1 min each time
          'jitter':'none','base':'PT1M','factor':2,'cap':'PT1M' | 3 | no jitter, exactly 1 min each time
          'jitter':'none','base':'PT0.5S','factor':2,'cap':'PT4S' | 3 | no jitter, exactly 500 ms doubling to a 4 s cap
          'jitter':'equal','base':'PT10S','factor':2,'cap':'PT1H' | 3 | equal jitter (half of each delay is certain), 10 s doubling to a 1 h cap
          'jitter':'additive','base':'PT10S','factor':2,'cap':'PT1H','spread':'PT3S' | 3 | 10 s doubling to a 1 h cap, plus up to 3 s
          'jitter':'decorrelated','base':'PT10S','cap':'PT1H' | 3 | decorrelated jitter, from 10 s to three times the previous delay, at most 1 h
          'jitter':'slots','slot':'PT0.05S' | 3 | after the n-th failure a random number of slots of 50 ms, from 0 to 2ⁿ − 1 and at most 1,023
          'jitter':'list','steps':['PT2M'],'proportion':0 | 2 | after 2 min
          'jitter':'list','steps':['PT2M','PT1H','PT6H'],'proportion':0 | 4 | after 2 min, 1 h and 6 h
          'jitter':'list','steps':['PT2M','PT1H','PT6H'],'proportion':0 | 3 | after 2 min and 1 h
          'jitter':'list','steps':['PT2M','PT1H'],'proportion':0.2 | 9 | after 2 min and 1 h, then every 1 h, each up to 20 % shorter
          'jitter':'novel' | 3 | novel jitter
          """)
  void every_kind_of_policy_has_words(String fields, int maxAttempts, String words) {
    assertThat(PolicyWords.of(policy("{" + fields + "}"), maxAttempts, 5)).endsWith(", " + words);
  }

  @Test
  void a_long_list_is_cut_in_its_middle() {
    String steps = "'PT15S',".repeat(14) + "'PT6H'";

    assertThat(PolicyWords.of(policy("{'jitter':'list','steps':[" + steps + "]}"), 16, 5))
        .isEqualTo(
            "first try and up to 15 retries, after "
                + "15 s, ".repeat(7)
                + "15 s … 6 h (15 steps)");
  }

  @Test
  void one_try_has_no_delays() {
    Policy policy = policy("{'jitter':'full','base':'PT30S','cap':'PT6H'}");

    assertThat(PolicyWords.of(policy, 1, 5)).isEqualTo("one try and no retry");
    assertThat(PolicyWords.of(policy, 2, 5)).startsWith("first try and one retry, full jitter");
    assertThat(PolicyWords.sentence(policy, 1, 5, at(0, 0, 0), FIRST))
        .isEqualTo("One try and no retry; gives up at the first failure.");
  }

  @Test
  void a_deadline_and_the_scale_of_the_priority_are_told() {
    Policy policy =
        policy(
            "{'jitter':'none','base':'PT1M','cap':'PT1H','deadline':'PT24H',"
                + "'priorityScale':{'1':0.5}}");

    assertThat(PolicyWords.of(policy, 3, 1))
        .endsWith(
            "delays times 0.5 at priority 1, no try later than 1 d after the job was first due");
    assertThat(PolicyWords.of(policy, 3, 5)).doesNotContain("priority");
  }

  @Test
  void an_end_that_is_certain_has_one_time() {
    assertThat(PolicyWords.givesUp(at(2, 2, 2), FIRST))
        .isEqualTo("gives up 2 h after the first try");
  }
}
