package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What people say of jobs. */
class JobNotesTest {
  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static String submit() {
    return api.post("/v1/jobs", "{\"kind\":\"report\",\"payload\":1}").header("location");
  }

  private static JsonNode newest(String job) {
    return api.get(job + "/audit").json().at("/items/0");
  }

  @Test
  void a_note_stands_in_the_audit_of_a_job_in_whatever_state_and_changes_nothing_else() {
    String job = submit();
    String before = api.get(job).body();

    assertThat(api.post(job + "/notes", "{\"note\":\"ask <Ana>\"}").status()).isEqualTo(204);
    assertThat(api.get(job).body()).isEqualTo(before);
    assertThat(newest(job).path("action").asString()).isEqualTo("job.note");
    assertThat(newest(job).path("reason").asString()).isEqualTo("ask <Ana>");
    assertThat(newest(job).path("actor").asString()).isEqualTo("anybody");

    api.post(job + "/cancel");
    assertThat(api.post(job + "/notes", "{\"note\":\"too late\"}").status()).isEqualTo(204);
    assertThat(newest(job).path("reason").asString()).isEqualTo("too late");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /note",
        "{\"note\":\" \"} | /note",
        "{\"note\":null} | /note",
        "{\"note\":7} | /note",
        "{\"note\":\"a\",\"reason\":\"b\"} | /reason",
      })
  void a_note_that_breaks_a_rule_is_refused_at_its_field(String body, String pointer) {
    String job = submit();

    Reply reply = api.post(job + "/notes", body);

    assertThat(reply.status()).as(reply.body()).isEqualTo(400);
    assertThat(reply.firstPointer()).isEqualTo(pointer);
    assertThat(api.get(job + "/audit").json().path("items")).isEmpty();
  }

  @Test
  void an_unknown_job_takes_no_note() {
    String unknown = "/v1/jobs/019f2b1e-7c00-7a10-8000-5d2b8f1c0e11";

    Reply reply = api.post(unknown + "/notes", "{\"note\":\"a\"}");

    assertThat(reply.status()).isEqualTo(404);
    assertThat(api.get(unknown + "/audit").status()).isEqualTo(404);
  }
}
