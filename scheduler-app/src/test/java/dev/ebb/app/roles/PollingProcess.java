package dev.ebb.app.roles;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A program whose workers poll over HTTP. It prints what it starts and what is answered to its
 * results; it repeats what is not answered. Arguments: the API's address, its name, the queues, how
 * many workers.
 */
final class PollingProcess {
  static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration AGAIN = Duration.ofMillis(100);

  /** One in so many attempts fails, and one in so many ends after its lease. */
  private static final int FAILS = 20;

  private static final int TOO_LATE = 300;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final String address;

  private PollingProcess(String address) {
    this.address = address;
  }

  public static void main(String[] arguments) throws InterruptedException {
    PollingProcess process = new PollingProcess(arguments[0]);
    for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
      String name = arguments[1] + "-" + i;
      Thread.ofVirtual().start(() -> process.work(name, arguments[2]));
    }
    Thread.currentThread().join();
  }

  private void work(String worker, String queues) {
    for (int poll = 0; true; poll++) {
      JsonNode lease =
          untilAnswered(
              "",
              """
              {"worker": "%s", "requestId": "%s", "queues": %s, "kinds": ["report"], "max": 4,
               "lease": "%s", "wait": "PT5S"}
              """
                  .formatted(worker, worker + "-" + poll, queues, LEASE));
      for (JsonNode job : lease.path("jobs")) {
        run(worker, lease.path("lease").asString(), job);
      }
    }
  }

  private void run(String worker, String lease, JsonNode job) {
    String id = job.path("id").asString();
    out.println("started " + id + " " + job.path("attempt").asInt());
    ThreadLocalRandom random = ThreadLocalRandom.current();
    boolean isTooLate = random.nextInt(TOO_LATE) == 0;
    LockSupport.parkNanos(isTooLate ? LEASE.plusSeconds(2).toNanos() : random.nextLong(20_000_000));
    String outcome =
        random.nextInt(FAILS) == 0
            ? "\"outcome\": \"failed\", \"reason\": \"broken\""
            : "\"outcome\": \"completed\"";
    String results =
        """
        {"worker": "%s", "results": [{"lease": "%s", "id": "%s", %s}]}
        """
            .formatted(worker, lease, id, outcome);
    JsonNode answer = untilAnswered("/settle", results);
    while (!answer.path("locked").isEmpty()) {
      LockSupport.parkNanos(AGAIN.toNanos());
      answer = untilAnswered("/settle", results);
    }
    for (JsonNode settled : answer.path("settled")) {
      out.println("settled " + id + " " + settled.path("became").asString());
    }
    for (JsonNode refused : answer.path("refused")) {
      out.println("refused " + id + " " + refused.path("why").asString());
    }
  }

  /** The answer; of no jobs an empty one. */
  private JsonNode untilAnswered(String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/v1/leases" + path))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    while (true) {
      try {
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        if (answer.statusCode() == 200 || answer.statusCode() == 204) {
          return JsonMapper.shared().readTree(answer.body().isEmpty() ? "{}" : answer.body());
        }
        out.println("answered " + answer.statusCode() + " " + answer.body());
      } catch (IOException dead) {
        // The next one answers.
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      LockSupport.parkNanos(AGAIN.toNanos());
    }
  }
}
