package dev.ebb.worker;

import dev.ebb.core.job.Outcome;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.DatabaseConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A worker process of the soak: it calls the merchant, and dies when a payload tells it to. */
final class Node {
  static final String POISON = "\"poison\"";

  private Node() {}

  /**
   * Arguments: database URL, node name, merchant URL, lease, file for the count of refusals. Prints
   * its clock once it is prepared, and works as soon as its standard input ends.
   */
  public static void main(String[] args) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    WorkerConfig config =
        WorkerConfig.defaults()
            .withNode(args[1])
            .withConcurrency(200)
            .withLease(Duration.parse(args[3]));
    MeterRegistry meters = new SimpleMeterRegistry();
    Database database = Database.open(DatabaseConfig.of(args[0], "postgres", "postgres"));
    System.out.println(Instant.now());
    System.in.readAllBytes();
    Worker worker =
        Worker.start(
            database,
            config,
            Map.of(WorkerBench.KIND, context -> call(client, args[2], context)),
            meters);
    Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
    CountDownLatch never = new CountDownLatch(1);
    while (!never.await(100, TimeUnit.MILLISECONDS)) {
      writeRefusals(meters, Path.of(args[4]));
    }
  }

  private static void writeRefusals(MeterRegistry meters, Path file) throws IOException {
    Files.writeString(file, "" + (long) meters.counter("ebb.settles.refused").count());
  }

  private static Outcome call(HttpClient client, String merchant, JobContext context)
      throws IOException, InterruptedException {
    if (context.job().payload().equals(POISON)) {
      Runtime.getRuntime().halt(137);
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(merchant))
            .header("webhook-id", context.job().id().toString())
            .timeout(Duration.ofMinutes(2))
            .POST(HttpRequest.BodyPublishers.ofString(context.job().payload()))
            .build();
    int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    return status == 200 ? Outcome.completed() : Outcome.failed("http_" + status, "no");
  }
}
