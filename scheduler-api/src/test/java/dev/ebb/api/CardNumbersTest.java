package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.access.AccessConfig;
import dev.ebb.api.access.CardNumberRule;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of payment cards, at a server that refuses and at one that masks them. */
class CardNumbersTest {
  private static final String CARD = "4111111111111111";
  private static final String MASKED = "************1111";
  private static final String PAID = "{\"kind\":\"pay\",\"payload\":{\"of\":[{\"card\":\"%s\"}]}}";
  private static final String DELIVERED =
      """
      {"kind":"http","payload":{"url":"https://m.example/","body":{"n":4111111111111111}}}\
      """;

  private static ApiServer refusing;
  private static ApiServer masking;

  @BeforeAll
  static void start() {
    DatabaseConfig database = TestPostgres.shared().newDatabase();
    refusing = with(database, CardNumberRule.REFUSE);
    masking = with(database, CardNumberRule.MASK);
  }

  @AfterAll
  static void stop() {
    masking.close();
    refusing.close();
  }

  private static ApiServer with(DatabaseConfig database, CardNumberRule rule) {
    return ApiServer.closed(database, AccessConfig.openToAll().withCardNumbers(rule));
  }

  private static void assertRefused(Reply reply, String pointer) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
    assertThat(reply.field("code")).isEqualTo("invalid_input");
    assertThat(reply.body()).doesNotContain(CARD);
  }

  private static Reply patch(ApiServer api, String id, String body) {
    return api.send(
        api.request("/v1/jobs/" + id)
            .header("Content-Type", "application/merge-patch+json")
            .header("If-Match", api.get("/v1/jobs/" + id).header("etag"))
            .method("PATCH", BodyPublishers.ofString(body)));
  }

  /** A job that was stored where nobody looked. */
  private static String stored() throws Exception {
    NewJob job = NewJob.of("pay", "{\"card\":  \"%s\",\"n\":1.50}".formatted(CARD));
    UUID id = refusing.queue().submit(List.of(job)).getFirst().id();
    return id.toString();
  }

  private static String payload(String id) {
    return refusing.text("select payload from ebb.job where id = '" + id + "'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {"kind":"pay","payload":"4111111111111111"}                                  | /payload
          {"kind":"pay","payload":[[],4111111111111111]}                               | /payload/1
          {"kind":"pay","payload":{"a":{"4111111111111111":1}}}       | /payload/a/************1111
          {"kind":"http","payload":{"url":"https://m.example/","body":"4111-1111-1111-1111"}} | /payload/body
          {"kind":"http","payload":{"url":"https://m.example/?c=4111111111111111"}}    | /payload/url
          {"kind":"http","payload":{"url":"https://m.example/","headers":{"x":"4111111111111111"}}} | /payload/headers/x
          {"kind":"pay","payload":1,"labels":{"card":"4111111111111111"}}              | /labels/card
          {"kind":"pay","payload":1,"uniqueKey":"card 4111 1111 1111 1111"}            | /uniqueKey
          """)
  void a_job_that_holds_one_is_refused_with_its_place_and_without_the_number(
      String job, String pointer) {
    long before = refusing.stored();

    assertRefused(refusing.post("/v1/jobs", job), pointer);
    assertRefused(refusing.post("/v1/jobs/preview", job), pointer);
    assertThat(refusing.stored()).isEqualTo(before);
  }

  @Test
  void a_batch_is_refused_whole_or_without_the_jobs_that_hold_one() {
    String jobs = "[%s,%s]".formatted("{\"kind\":\"pay\",\"payload\":1}", PAID.formatted(CARD));
    long before = refusing.stored();

    String pointer = "/jobs/1/payload/of/0/card";
    assertRefused(refusing.post("/v1/jobs/batch", "{\"jobs\":" + jobs + "}"), pointer);
    assertThat(refusing.stored()).isEqualTo(before);

    Reply parts = refusing.post("/v1/jobs/batch", "{\"atomic\":false,\"jobs\":" + jobs + "}");
    assertThat(parts.body()).contains(pointer).doesNotContain(CARD);
    assertThat(refusing.stored()).isEqualTo(before + 1);
  }

  @Test
  void neither_schedules_nor_tests_of_destinations_may_hold_one() {
    refusing.put("/v1/destinations/shop", "{\"url\":\"https://m.example/\"}");

    assertRefused(
        refusing.put("/v1/schedules/s", "{\"every\":\"PT1H\",\"job\":" + DELIVERED + "}"),
        "/job/payload/body/n");
    assertRefused(
        refusing.post("/v1/destinations/shop/test", "{\"body\":{\"card\":\"%s\"}}".formatted(CARD)),
        "/body/card");
  }

  @Test
  void a_job_that_holds_one_can_be_changed_but_not_given_another_nor_cloned() throws Exception {
    String id = stored();

    assertThat(patch(refusing, id, "{\"priority\":3}").status()).isEqualTo(200);
    assertRefused(
        patch(refusing, id, "{\"payload\":{\"other\":\"%s\"}}".formatted(CARD)), "/payload/card");
    assertRefused(refusing.post("/v1/jobs/" + id + "/clone", "{}"), "/payload/card");
    assertThat(patch(refusing, id, "{\"payload\":{\"card\":null}}").status()).isEqualTo(200);
  }

  @Test
  void answers_show_the_last_four_digits_of_what_is_stored_to_the_byte() {
    Reply submitted = masking.post("/v1/jobs", PAID.formatted(CARD));
    String id = submitted.field("id");

    assertThat(submitted.status()).isEqualTo(201);
    for (Reply shown :
        List.of(submitted, masking.get("/v1/jobs/" + id), refusing.get("/v1/jobs/" + id))) {
      assertThat(shown.body()).contains(MASKED).doesNotContain(CARD);
    }
    assertThat(payload(id)).isEqualTo("{\"of\":[{\"card\":\"" + CARD + "\"}]}");
  }

  @Test
  void what_an_attempt_sent_and_got_is_masked_as_well() {
    String id = masking.post("/v1/jobs", DELIVERED).field("id");
    masking.execute(
        """
        insert into ebb.attempt (job_id, started_at, ended_at, number, outcome, node, detail)
        values ('%s', now(), now(), 1, 'failed', 'n1', '{"response":{"body":"card %s"}}')
        """
            .formatted(id, CARD));

    assertThat(masking.get("/v1/jobs/" + id + "/attempts").body())
        .contains("card " + MASKED)
        .doesNotContain(CARD);
  }

  @Test
  void a_mask_does_not_replace_the_number_that_it_hides() throws Exception {
    String id = stored();

    Reply masked = patch(masking, id, "{\"payload\":{\"card\":\"%s\",\"n\":2}}".formatted(MASKED));
    assertThat(masked.status()).as(masked.body()).isEqualTo(400);
    assertThat(masked.firstPointer()).isEqualTo("/payload/card");
    assertThat(patch(masking, id, "{\"payload\":{\"n\":2}}").status()).isEqualTo(200);
    assertThat(payload(id)).contains(CARD);
  }

  @Test
  void a_schedule_that_is_sent_back_as_it_was_shown_keeps_its_number() {
    masking.put("/v1/schedules/kept", "{\"every\":\"PT1H\",\"job\":" + DELIVERED + "}");
    Reply shown = masking.get("/v1/schedules/kept");

    assertThat(shown.body()).contains(MASKED).doesNotContain(CARD);
    Reply again =
        masking.set(
            "/v1/schedules/kept", "{\"every\":\"PT2H\",\"job\":" + shown.json().path("job") + "}");
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(masking.text("select s::text from ebb.schedule s where name = 'kept'"))
        .contains(CARD);
  }
}
