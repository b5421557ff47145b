package dev.ebb.helm;

import static dev.ebb.helm.Rendered.ALL;
import static dev.ebb.helm.Rendered.FOLDER;
import static dev.ebb.helm.Rendered.LEAST;
import static dev.ebb.helm.Rendered.ROOT;
import static dev.ebb.helm.Rendered.container;
import static dev.ebb.helm.Rendered.names;
import static dev.ebb.helm.Rendered.pod;
import static dev.ebb.helm.Rendered.pods;
import static dev.ebb.helm.Rendered.setting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the chart tells its pods by their environment. */
class ChartSettingsTest {
  private static final Pattern OWN = Pattern.compile("- name: (EBB_\\w+)");

  private final Chart chart = new Chart(FOLDER);

  @ParameterizedTest
  @ValueSource(strings = {LEAST, ALL})
  void every_setting_is_one_of_ebbs_and_comes_once(String values) throws IOException {
    Path settings = Path.of("scheduler-app/src/main/java/dev/ebb/app/settings/Setting.java");
    Set<String> known =
        Pattern.compile("^ {2}([A-Z_]+)\\($", Pattern.MULTILINE)
            .matcher(Files.readString(ROOT.resolve(settings)).replaceAll("\\(\".*", "("))
            .results()
            .map(MatchResult::group)
            .map(line -> "EBB_" + line.strip().replace("(", ""))
            .collect(Collectors.toSet());

    assertThat(known).contains("EBB_DB_URL", "EBB_HOME");
    assertThat(pods(chart.render(values)))
        .allSatisfy(pod ->
            assertThat(names(container(pod).path("env")))
                .filteredOn(name -> !name.startsWith("OTEL_"))
                .isSubsetOf(known)
                .doesNotHaveDuplicates());
  }

  @Test
  void the_settings_of_a_role_win() {
    List<JsonNode> objects = chart.render(ALL);

    assertThat(setting(pod(objects, "api"), "EBB_HISTORY_DAYS")).isEqualTo("14");
    assertThat(setting(pod(objects, "worker"), "EBB_HISTORY_DAYS")).isEqualTo("30");
    assertThat(setting(pod(objects, "api"), "EBB_LEASE")).isEqualTo("20s");
    assertThat(setting(pod(objects, "worker"), "EBB_LOG_FORMAT")).isEqualTo("ecs");
  }

  @Test
  void an_empty_setting_of_a_role_wins_too() {
    List<JsonNode> objects = chart.render(ALL);

    assertThat(setting(pod(objects, "worker"), "EBB_DELIVERY_ALLOW")).isEqualTo("10.1.0.0/16");
    assertThat(setting(pod(objects, "api"), "EBB_DELIVERY_ALLOW")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"settings", "api.settings", "worker.settings"})
  void a_setting_that_yaml_takes_for_a_boolean_is_refused(String settings) {
    assertThatThrownBy(() -> chart.render(LEAST, Map.of(settings + ".EBB_SCHEDULER", "false")))
        .hasMessageContaining("EBB_SCHEDULER");
  }

  @Test
  void a_setting_that_the_chart_makes_of_its_values_is_refused() throws IOException {
    List<String> own = new ArrayList<>();
    try (Stream<Path> templates = Files.list(FOLDER.resolve("templates"))) {
      for (Path template : templates.toList()) {
        OWN.matcher(Files.readString(template)).results().forEach(name -> own.add(name.group(1)));
      }
    }

    assertThat(own)
        .contains("EBB_DRAIN", "EBB_QUEUES", "EBB_HTTP_NAMES")
        .allSatisfy(name ->
            assertThatThrownBy(() -> chart.render(LEAST, Map.of("settings." + name, "3")))
                .hasMessageContaining(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"EBB_SECRETS_KEY", "EBB_ADMIN_TOKEN", "EBB_DB_PASSWORD"})
  void a_secret_in_the_open_is_refused(String name) {
    assertThatThrownBy(() -> chart.render(LEAST, Map.of("settings." + name, "x")))
        .hasMessageContaining(name);
  }

  @Test
  void a_migration_goes_around_the_pooler_of_the_nodes() {
    List<JsonNode> objects = chart.render(ALL);

    JsonNode worker = pod(objects, "worker");
    assertThat(setting(worker, "EBB_DB_URL")).contains("pgbouncer");
    assertThat(setting(worker, "EBB_DB_POOLER")).isEqualTo("true");
    JsonNode migration = pod(objects, "migration");
    assertThat(setting(migration, "EBB_DB_URL")).contains("a.data.svc:5432,b.data.svc:5432");
    assertThat(setting(migration, "EBB_DB_POOLER")).isEqualTo("false");
    assertThatThrownBy(() -> chart.render(LEAST, Map.of("database.pooler", "true")))
        .hasMessageContaining("database.owner.url must name the server itself");
  }

  @Test
  void the_variables_of_a_collector_reach_its_role() {
    List<JsonNode> objects = chart.render(ALL);

    assertThat(setting(pod(objects, "worker"), "EBB_TRACES")).isEqualTo("otlp");
    assertThat(setting(pod(objects, "worker"), "OTEL_EXPORTER_OTLP_ENDPOINT"))
        .isEqualTo("http://collector.tracing.svc:4318");
  }

  @Test
  void what_a_collector_asks_for_may_stand_in_a_secret() {
    List<JsonNode> objects = chart.render(ALL);

    for (String node : List.of("api", "worker")) {
      JsonNode environment = container(pod(objects, node)).path("env");
      int headers = names(environment).indexOf("OTEL_EXPORTER_OTLP_HEADERS");
      assertThat(environment.path(headers).at("/valueFrom/secretKeyRef/name").asText())
          .isEqualTo("ebb-collector");
      assertThat(environment.path(headers).at("/valueFrom/secretKeyRef/key").asText())
          .isEqualTo("headers");
    }
    assertThat(names(container(pod(objects, "migration")).path("env")))
        .doesNotContain("OTEL_EXPORTER_OTLP_HEADERS");
    assertThatThrownBy(
            () -> chart.render(ALL, Map.of("api.settings.OTEL_EXPORTER_OTLP_HEADERS", "a=b")))
        .hasMessageContaining("not both");
  }

  @Test
  void the_api_is_asked_under_the_names_of_its_service_and_ingress() {
    assertThat(setting(pod(chart.render(ALL), "api"), "EBB_HTTP_NAMES").split(","))
        .containsExactly(
            "ebb-api",
            "ebb-api.pay",
            "ebb-api.pay.svc",
            "ebb-api.pay.svc.cluster.local",
            "jobs.example.com",
            "jobs.internal");
  }
}
