package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A number in a payload that no machine holds is JSON all the same: it is kept to the byte, and
 * nobody here reckons with it.
 */
class HugeNumbersTest {
  private static ApiServer api;

  @BeforeAll
  static void start() {
    api = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    api.close();
  }

  private static Reply patch(String path, String body) {
    return api.send(
        api.request(path)
            .header("Content-Type", "application/merge-patch+json")
            .header("If-Match", "*")
            .method("PATCH", BodyPublishers.ofString(body)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "-1e-999999999", "1e99999999999", "0.1e2147483648"})
  void a_job_carries_it(String number) {
    String payload = "{\"n\":" + number + ",\"m\":[" + number + "]}";

    Reply job = api.post("/v1/jobs", "{\"kind\":\"a\",\"payload\":" + payload + "}");
    String path = job.header("location");

    assertThat(job.status()).as(job.body()).isEqualTo(201);
    assertThat(api.get(path).body()).contains(payload);
    assertThat(api.get("/v1/jobs?view=full").body()).contains(payload);
    Reply patched = patch(path, "{\"priority\":1}");
    assertThat(patched.status()).as(patched.body()).isEqualTo(200);
    assertThat(patched.body()).contains(payload);
    Reply clone = api.post(path + "/clone", "{}");
    assertThat(clone.status()).as(clone.body()).isEqualTo(201);
    assertThat(clone.body()).contains(payload);
    Reply other = patch(path, "{\"payload\":{\"n\":" + number + "}}");
    assertThat(other.status()).as(other.body()).isBetween(200, 400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "-1e-999999999", "1e99999999999", "0.1e2147483648"})
  void a_schedule_carries_it_and_is_sent_back_with_it(String number) {
    String payload = "{\"n\":" + number + "}";
    String schedule =
        "{\"cron\":\"%s\",\"job\":{\"kind\":\"a\",\"payload\":%s}}".formatted("0 9 * * *", payload);
    Reply made = api.set("/v1/schedules/huge", schedule);
    assertThat(made.status()).as(made.body()).isBetween(200, 201);

    Reply again = api.set("/v1/schedules/huge", schedule.replace("0 9", "0 8"));

    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.body()).contains(payload);
    Reply run = api.post("/v1/schedules/huge/run", "{}");
    assertThat(run.status()).as(run.body()).isBetween(200, 201);
  }
}
