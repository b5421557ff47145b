package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.api.ApiServer.Reply;
import dev.ebb.db.Judged;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.DatabaseConfig;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Others have all connections of the pool: an operation is refused for now, and never hangs. */
class ExhaustedPoolTest {
  /** They need no connection. */
  private static final Set<String> SERVED =
      Set.of(
          "live",
          "metrics",
          "openApi",
          "getLeaseProtocol",
          "getMe",
          "previewPolicy",
          "previewSchedule",
          "started",
          "streamEvents");

  /** The pool waits for two seconds; to ask and to tell for all takes its time. */
  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void every_operation_that_needs_a_connection_is_refused_until_there_is_one() throws Exception {
    DatabaseConfig config = TestPostgres.shared().newDatabase().withPoolSize(2);
    try (ApiServer api = ApiServer.start(config)) {
      JsonNode contract = api.get("/v1/openapi.json").json();
      Map<String, Reply> replies;
      try (ApiServer.Held _ = api.takeConnections(config.poolSize())) {
        replies =
            Judged.within(
                SOON,
                "every operation is refused",
                config,
                () -> askAll(api, contract, Executors.newVirtualThreadPerTaskExecutor()));
      }

      Set<String> served = new TreeSet<>();
      replies.forEach((operation, reply) -> {
        if (reply.status() != 503) {
          served.add(operation);
        } else {
          assertThat(reply.header("retry-after")).as(operation).isNotEmpty();
          assertThat(reply.json().path("retryable").asBoolean()).as(operation).isTrue();
          assertThat(reply.body()).doesNotContain("Hikari", "Exception");
        }
      });
      assertThat(served).containsExactlyInAnyOrderElementsOf(SERVED);
      // One after another: together they would wait for the few connections in turn.
      assertThat(askAll(api, contract, Executors.newSingleThreadExecutor()).values())
          .allSatisfy(reply -> assertThat(reply.status()).as(reply.body()).isNotEqualTo(503));
    }
  }

  private static Map<String, Reply> askAll(
      ApiServer api, JsonNode contract, ExecutorService callers) throws Exception {
    Schemas schemas = new Schemas(contract);
    Map<String, Future<Reply>> asked = new TreeMap<>();
    try (callers) {
      for (Map.Entry<String, JsonNode> path : contract.path("paths").properties()) {
        for (Map.Entry<String, JsonNode> verb : path.getValue().properties()) {
          asked.put(
              verb.getValue().path("operationId").asString(),
              callers.submit(
                  () -> ask(api, schemas, verb.getKey(), path.getKey(), verb.getValue())));
        }
      }
    }
    Map<String, Reply> replies = new TreeMap<>();
    for (Map.Entry<String, Future<Reply>> one : asked.entrySet()) {
      replies.put(one.getKey(), one.getValue().get());
    }
    return replies;
  }

  private static Reply ask(
      ApiServer api, Schemas schemas, String verb, String path, JsonNode operation) {
    JsonNode content = operation.path("requestBody").path("content");
    String query = path.equals("/v1/events") ? "?for=0s" : "";
    HttpRequest.Builder request =
        api.request(
            path.replace("{n}", "1")
                    .replaceAll("\\{(id|[a-z]+Id)}", ApiServer.UNKNOWN_ID)
                    .replaceAll("\\{[a-z]+}", "q1")
                + query);
    String body = "";
    if (!content.isEmpty()) {
      Map.Entry<String, JsonNode> described = content.properties().iterator().next();
      request.header("Content-Type", described.getKey());
      body = body(schemas, operation.path("operationId").asString(), described.getValue());
    }
    return api.send(
        request
            .header("If-Match", "*")
            .method(verb.toUpperCase(Locale.ROOT), BodyPublishers.ofString(body)));
  }

  private static String body(Schemas schemas, String operation, JsonNode described) {
    List<JsonNode> examples = schemas.examples(described);
    return switch (operation) {
      case "purgeQueue" -> "{\"confirm\":\"q1\"}";
      case "noteJob" -> "{\"note\":\"a\"}";
      case "previewJob" -> "{\"kind\":\"a\",\"payload\":1}";
      case "previewBatch" -> "{\"jobs\":[{\"kind\":\"a\",\"payload\":1}]}";
      case "previewOperation" -> "{\"action\":\"cancel\",\"filter\":{\"key\":\"k\"}}";
      default -> examples.isEmpty() ? "{}" : examples.getFirst().toString();
    };
  }
}
