package dev.ebb.app.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Settings;
import dev.ebb.db.Await;
import dev.ebb.db.TestPostgres;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node sends to a collector of OpenTelemetry, and what a bad one costs it. */
class TraceExportTest {
  private static final String NEVER = "3600000";
  private static final Settings ON = Settings.read(Map.of("EBB_TRACES", "otlp"));

  private static NodeProcess node(Map<String, String> variables) throws Exception {
    Map<String, String> all = new HashMap<>(variables);
    all.put("EBB_SHUTDOWN_DELAY", "0s");
    return NodeProcess.start("server", TestPostgres.shared().newDatabase(), all);
  }

  private static void deliver(NodeProcess node, Receiver receiver, int jobs) throws Exception {
    for (int i = 0; i < jobs; i++) {
      String url = "http://" + receiver.host() + "/" + i;
      node.submit(
          "{\"kind\":\"http\",\"queue\":\"merchants\",\"payload\":{\"url\":\"" + url + "\"}}");
    }
    node.await("all are delivered", () -> receiver.calls().size() >= jobs);
  }

  @Test
  void a_collector_gets_the_spans_of_each_part_and_what_node_they_are_of() throws Exception {
    try (Collector collector = Collector.start();
        Receiver receiver = new Receiver();
        NodeProcess node =
            node(with(collector.variables("50"), Map.of("OTEL_SERVICE_NAME", "wagtail")))) {
      deliver(node, receiver, 1);

      for (String name : List.of("submit", "claim", "attempt", "settle")) {
        node.await(name, () -> collector.has(name + " merchants"));
      }
      assertThat(collector.received())
          .allSatisfy(one ->
              assertThat(one)
                  .startsWith("/v1/traces ")
                  .contains("service.name", "wagtail", "service.version", "unbuilt"));
    }
  }

  private static String nameGivenBy(Map<String, String> properties) {
    properties.forEach(System::setProperty);
    try (TraceExport export = TraceExport.start(ON)) {
      String sdk = export.telemetry().toString();
      return sdk.replaceAll("(?s).*service\\.name=\"([^\"]*)\".*", "$1");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      properties.keySet().forEach(System::clearProperty);
    }
  }

  @Test
  void a_service_has_its_own_name_whichever_way_it_is_given() {
    String attributes = "otel.resource.attributes";

    assertThat(nameGivenBy(Map.of())).isEqualTo("ebb");
    assertThat(nameGivenBy(Map.of(attributes, "team=payments"))).isEqualTo("ebb");
    assertThat(nameGivenBy(Map.of(attributes, "team=payments,service.name=wagtail")))
        .isEqualTo("wagtail");
    assertThat(
            nameGivenBy(Map.of("otel.service.name", "dipper", attributes, "service.name=wagtail")))
        .isEqualTo("dipper");
  }

  /** Its own timeouts are an hour. */
  @Test
  void a_node_that_is_told_to_hurry_waits_for_no_collector() throws Exception {
    Map<String, String> slow = Map.of("otel.exporter.otlp.timeout", NEVER);
    try (Collector collector = Collector.thatHangs()) {
      Map<String, String> properties = with(slow, collector.properties());
      properties.forEach(System::setProperty);
      TraceExport export = TraceExport.start(ON);
      properties.keySet().forEach(System::clearProperty);
      export.telemetry().getTracer("test").spanBuilder("span").startSpan().end();

      Thread end =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  export.close();
                } catch (InterruptedException _) {
                  Thread.currentThread().interrupt();
                }
              });
      Await.until("it hangs", () -> !collector.received().isEmpty());
      assertThat(end.isAlive()).isTrue();
      export.hurry();

      Await.until("it has ended", Duration.ofSeconds(2), () -> !end.isAlive());
    }
  }

  @Test
  void spans_that_wait_are_sent_before_the_node_ends() throws Exception {
    try (Collector collector = Collector.start();
        Receiver receiver = new Receiver();
        NodeProcess node = node(collector.variables(NEVER))) {
      deliver(node, receiver, 1);
      assertThat(collector.received()).isEmpty();

      node.terminate();

      assertThat(node.exitCode()).isZero();
      assertThat(collector.has("settle merchants")).isTrue();
    }
  }

  /** Its own timeouts are an hour: without a bound the node would not end in time. */
  @Test
  void a_collector_that_hangs_holds_up_no_job_and_no_end() throws Exception {
    try (Collector collector = Collector.thatHangs();
        Receiver receiver = new Receiver();
        NodeProcess node =
            node(
                with(
                    collector.variables("50"),
                    Map.of(
                        "OTEL_EXPORTER_OTLP_TIMEOUT",
                        NEVER,
                        "OTEL_BSP_EXPORT_TIMEOUT",
                        NEVER,
                        "OTEL_BSP_MAX_QUEUE_SIZE",
                        "16",
                        "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
                        "8")))) {
      deliver(node, receiver, 1);
      node.await("it hangs", () -> !collector.received().isEmpty());
      deliver(node, receiver, 100);

      node.terminate();

      assertThat(node.exitCode()).isZero();
      assertThat(collector.received()).hasSize(1);
    }
  }

  @Test
  void a_collector_that_is_away_holds_up_no_job_and_no_end() throws Exception {
    String nobody = "http://127.0.0.1:" + TestPostgres.freePort();
    try (Receiver receiver = new Receiver();
        NodeProcess node =
            node(
                Map.of(
                    "EBB_TRACES", "otlp",
                    "OTEL_EXPORTER_OTLP_ENDPOINT", nobody,
                    "OTEL_BSP_SCHEDULE_DELAY", "50"))) {
      deliver(node, receiver, 100);
      node.await("it says so", () -> node.log().contains("Failed to export"));

      node.terminate();

      assertThat(node.exitCode()).isZero();
    }
  }

  private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(more);
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "otel.traces.exporter, zipkin, zipkin",
    "otel.exporter.otlp.protocol, grpc, GrpcSenderProvider",
    "otel.exporter.otlp.endpoint, collector:4318, must be a valid URL: collector:4318",
    "otel.bsp.schedule.delay, 1.5s, otel.bsp.schedule.delay",
    "otel.traces.sampler, seldom, seldom"
  })
  void a_variable_that_asks_for_what_cannot_be_done_ends_the_start_with_a_sentence(
      String property, String value, String word) {
    System.setProperty(property, value);
    try {
      CannotStart refused =
          catchThrowableOfType(CannotStart.class, () -> TraceExport.start(ON).close());

      assertThat(refused.sentence()).startsWith("EBB_TRACES=otlp: ").contains(word).hasLineCount(1);
      assertThat(refused.exitCode()).isEqualTo(2);
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void nothing_is_sent_unless_it_is_set() {
    assertThat(Stream.of(Map.<String, String>of(), Map.of("EBB_TRACES", "off")))
        .allSatisfy(variables -> {
          try (TraceExport export = TraceExport.start(Settings.read(variables))) {
            assertThat(export.telemetry()).isSameAs(OpenTelemetry.noop());
          }
        });
  }
}
