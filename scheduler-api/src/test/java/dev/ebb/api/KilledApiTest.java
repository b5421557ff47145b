package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.Bench;
import dev.ebb.db.Proof;
import dev.ebb.db.Vital;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An API that dies between commits and answers, and clients that repeat their request. */
@Proof
class KilledApiTest {
  private static final int ROUNDS = 6;
  private static final int CALLERS = 50;

  /**
   * One in so many ends of a transaction ends the process: in the odd rounds until its first death,
   * and in all rounds after that. In the even rounds, the commit of the job is the first death.
   */
  private static final int OFTEN = 2;

  private static final int SELDOM = 50;
  private static final Duration AMPLE = Duration.ofMinutes(5);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Queue<JsonNode> answers = new ConcurrentLinkedQueue<>();
  private final Bench bench = new Bench();
  private volatile ApiProcess api;
  private int deaths;
  private int deathsBeforeAnyAnswer;

  @BeforeEach
  void start() throws IOException {
    api = firstOf(1);
  }

  private ApiProcess firstOf(int round) throws IOException {
    return diesAtCommit(round)
        ? ApiProcess.endingAtJob(bench.config, round)
        : ApiProcess.mortal(bench.config, OFTEN);
  }

  private static boolean diesAtCommit(int round) {
    return round % 2 == 0;
  }

  @AfterEach
  void stop() {
    api.close();
    client.close();
    bench.close();
  }

  @Vital
  @Test
  void of_fifty_callers_with_one_key_every_one_is_told_the_same_job_however_often_the_api_dies()
      throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      int before = deathsBeforeAnyAnswer;
      callUntilAllAreAnswered(round);

      assertThat(answers).hasSize(CALLERS);
      assertThat(answers.stream().map(answer -> answer.path("id").asString()).distinct())
          .hasSize(1);
      assertThat(bench.count("ebb.job")).isEqualTo(round);
      if (diesAtCommit(round)) {
        assertThat(deathsBeforeAnyAnswer).isGreaterThan(before);
      }
      api.close();
      api = firstOf(round + 1);
    }

    System.out.printf(
        "%s callers, %s keys: the API died %s times, %s of them before it had told anybody of a job"
            + " that was committed%n",
        CALLERS, ROUNDS, deaths, deathsBeforeAnyAnswer);
  }

  private void callUntilAllAreAnswered(int round) throws Exception {
    answers.clear();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(Thread.ofVirtual().start(() -> callUntilAnswered("round-" + round)));
    }
    long deadline = System.nanoTime() + AMPLE.toNanos();
    while (callers.stream().anyMatch(Thread::isAlive)) {
      assertThat(System.nanoTime()).as("nobody waits for ever").isLessThan(deadline);
      reviveApi(round);
    }
  }

  private void callUntilAnswered(String key) {
    while (!isAnswered(key)) {
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  private boolean isAnswered(String key) {
    try {
      HttpResponse<String> response = client.send(request(key), BodyHandlers.ofString());
      boolean answered = response.statusCode() == 201;
      if (answered) {
        answers.add(JsonMapper.shared().readTree(response.body()));
      }
      return answered;
    } catch (IOException dead) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest request(String key) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + "/v1/jobs"))
        .timeout(Duration.ofSeconds(20))
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", key)
        .POST(BodyPublishers.ofString("{\"kind\":\"report\",\"payload\":1}"))
        .build();
  }

  private void reviveApi(int round) throws Exception {
    if (!api.isAlive()) {
      deaths++;
      if (answers.isEmpty() && bench.count("ebb.job") == round) {
        deathsBeforeAnyAnswer++;
      }
      api = ApiProcess.mortal(bench.config, SELDOM);
    }
    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
  }
}
