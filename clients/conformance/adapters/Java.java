import dev.ebb.client.EbbException;
import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbProblem;
import dev.ebb.client.EbbUnreachable;
import dev.ebb.client.EbbWorker;
import dev.ebb.client.Job;
import dev.ebb.client.JobKind;
import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import dev.ebb.client.Stop;
import dev.ebb.client.Submitted;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Drives the Java client as the conformance suite says. */
public final class Java {
  private static final JsonMapper JSON = new JsonMapper();
  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  private static final Map<String, EbbWorker> WORKERS = new ConcurrentHashMap<>();
  private static final Map<String, Run<String>> RUNS = new ConcurrentHashMap<>();
  private static final Map<String, BlockingQueue<JsonNode>> ENDS = new ConcurrentHashMap<>();

  private Java() {}

  public static void main(String[] arguments) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      JsonNode asked = JSON.readTree(line);
      new Thread(() -> serve(asked)).start();
    }
    // Workers would keep the process, and nobody asks it any more.
    Runtime.getRuntime().halt(0);
  }

  private static void serve(JsonNode asked) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("n", asked.path("n").asInt());
    try {
      told.put("ok", answer(asked));
    } catch (Exception raised) {
      told.put("error", error(raised));
    }
    write(told);
  }

  private static synchronized void write(Map<String, Object> told) {
    OUT.println(JSON.writeValueAsString(told));
  }

  private static Map<String, ?> answer(JsonNode asked) {
    switch (asked.path("do").asString()) {
      case "hello":
        return Map.of("client", "ebb-java/" + version());
      case "submit":
        return told(http(asked).submit(job(asked)));
      case "submit_many":
        List<Job<?>> jobs = new ArrayList<>();
        asked.path("jobs").forEach(job -> jobs.add(job(job)));
        return Map.of("jobs", http(asked).submit(jobs).stream().map(Java::told).toList());
      case "work":
        return Map.of("name", work(asked).name());
      case "progress":
        RUNS.get(text(asked, "id")).progress(asked.path("percent").asInt(), text(asked, "message"));
        return Map.of();
      case "end":
        ENDS.get(text(asked, "id")).add(asked.path("outcome"));
        return Map.of();
      case "stop":
        WORKERS.get(text(asked, "worker")).close();
        return Map.of();
      default:
        throw new IllegalArgumentException("no such command: " + asked);
    }
  }

  private static String version() {
    String version = EbbHttp.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  private static Map<String, ?> told(Submitted stored) {
    return Map.of("id", stored.id().toString(), "duplicate", stored.isDuplicate());
  }

  private static Map<String, Object> error(Exception raised) {
    Map<String, Object> error = new LinkedHashMap<>();
    if (raised instanceof EbbProblem problem) {
      error.put("status", problem.status());
      error.put("type", problem.type());
      error.put("code", problem.code());
      problem.errors().keySet().stream().findFirst().ifPresent(field -> error.put("field", field));
      problem.place().ifPresent(place -> error.put("place", place));
    }
    if (raised instanceof EbbUnreachable open) {
      error.put("key", open.idempotencyKey());
    }
    error.put("message", raised.toString());
    return error;
  }

  private static EbbHttp http(JsonNode asked) {
    EbbHttp.Builder http =
        EbbHttp.at(URI.create(text(asked, "url"))).token(text(asked, "token"));
    return (asked.has("patience") ? http.patience(seconds(asked.path("patience"))) : http).build();
  }

  private static Job<?> job(JsonNode asked) {
    Job<String> job = JobKind.json(text(asked, "kind")).job(text(asked, "payload"));
    for (Map.Entry<String, JsonNode> field : asked.properties()) {
      job = with(job, field.getKey(), field.getValue());
    }
    return job;
  }

  private static Job<String> with(Job<String> job, String field, JsonNode value) {
    return switch (field) {
      case "queue" -> job.queue(value.asString());
      case "uniqueKey" -> job.uniqueKey(value.asString());
      case "orderingKey" -> job.orderingKey(value.asString());
      case "policy" -> job.policy(value.asString());
      case "priority" -> job.priority(value.asInt());
      case "maxAttempts" -> job.maxAttempts(value.asInt());
      case "delay" -> job.delay(seconds(value));
      case "timeout" -> job.timeout(seconds(value));
      case "labels" -> job.labels(words(value));
      case "traceparent" -> job.traceparent(value.asString());
      default -> job;
    };
  }

  private static EbbWorker work(JsonNode asked) {
    String name = text(asked, "worker");
    List<String> queues = new ArrayList<>();
    asked.path("queues").forEach(queue -> queues.add(queue.asString()));
    EbbWorker.Builder builder =
        http(asked)
            .worker(name)
            .queues(queues.toArray(new String[0]))
            .slots(asked.path("slots").asInt())
            .lease(seconds(asked.path("lease")))
            .longestWait(seconds(asked.path("wait")))
            .grace(seconds(asked.path("grace")));
    asked
        .path("kinds")
        .forEach(kind -> builder.on(JobKind.json(kind.asString()), run -> handle(run, asked)));
    EbbWorker worker = builder.start();
    WORKERS.put(name, worker);
    new Thread(() -> awaitEnd(worker, asked)).start();
    return worker;
  }

  private static void awaitEnd(EbbWorker worker, JsonNode asked) {
    Map<String, Object> told = event("end", asked);
    try (worker) {
      worker.awaitStop();
    } catch (EbbException raised) {
      told.put("error", error(raised));
    } catch (InterruptedException ends) {
      Thread.currentThread().interrupt();
    }
    write(told);
  }

  private static Outcome handle(Run<String> run, JsonNode asked) throws InterruptedException {
    String id = run.id().toString();
    BlockingQueue<JsonNode> box = new LinkedBlockingQueue<>();
    ENDS.put(id, box);
    RUNS.put(id, run);
    Map<String, Object> began = event("run", asked);
    began.put("id", id);
    began.put("kind", run.kind());
    began.put("attempt", run.attempt());
    began.put("labels", run.labels());
    began.put("traceparent", run.traceparent().orElse(null));
    began.put("payload", run.args());
    write(began);
    return asked.has("outcome") ? outcome(asked.path("outcome")) : awaitOutcome(run, box, asked);
  }

  private static Outcome awaitOutcome(
      Run<String> run, BlockingQueue<JsonNode> box, JsonNode asked) throws InterruptedException {
    while (true) {
      try {
        return outcome(box.take());
      } catch (InterruptedException stopped) {
        Map<String, Object> told = event("told", asked);
        told.put("id", run.id().toString());
        told.put("why", word(run.why().orElseThrow()));
        write(told);
        if (!asked.path("stubborn").asBoolean(false)) {
          throw stopped;
        }
      }
    }
  }

  private static String word(Stop why) {
    return switch (why) {
      case CANCELLED -> "cancel";
      case TIMEOUT -> "timeout";
      case LOST -> "lost";
      case CLOSING -> "stop";
    };
  }

  private static Map<String, Object> event(String name, JsonNode asked) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("event", name);
    event.put("worker", text(asked, "worker"));
    return event;
  }

  private static Outcome outcome(JsonNode told) {
    String reason = told.path("reason").asString("");
    String message = told.path("message").asString("");
    return switch (text(told, "outcome")) {
      case "completed" -> Outcome.completed(words(told.path("result")));
      case "failed" -> Outcome.failed(reason, message);
      case "fatal" -> Outcome.fatal(reason, message);
      case "throttled" -> Outcome.throttled(reason, message, seconds(told.path("retryAfter")));
      case "not_ready" ->
          told.has("delay") ? Outcome.notReady(seconds(told.path("delay"))) : Outcome.notReady();
      case "cancelled" -> Outcome.cancelled();
      case "given_back" -> Outcome.givenBack();
      default -> throw told.has("message") ? new IllegalStateException(message) : new Unsayable();
    };
  }

  /** Fails to make its message. */
  private static final class Unsayable extends RuntimeException {
    @Override
    public String getMessage() {
      throw new UnsupportedOperationException();
    }
  }

  private static Map<String, String> words(JsonNode object) {
    Map<String, String> words = new LinkedHashMap<>();
    object.properties().forEach(field -> words.put(field.getKey(), field.getValue().asString()));
    return words;
  }

  private static Duration seconds(JsonNode number) {
    return Duration.ofMillis(Math.round(number.asDouble(0) * 1000));
  }

  private static String text(JsonNode object, String field) {
    return object.path(field).asString();
  }
}
