package dev.ebb.helm;

import static dev.ebb.helm.Rendered.ALL;
import static dev.ebb.helm.Rendered.FOLDER;
import static dev.ebb.helm.Rendered.LEAST;
import static dev.ebb.helm.Rendered.ROOT;
import static dev.ebb.helm.Rendered.container;
import static dev.ebb.helm.Rendered.find;
import static dev.ebb.helm.Rendered.names;
import static dev.ebb.helm.Rendered.pod;
import static dev.ebb.helm.Rendered.pods;
import static dev.ebb.helm.Rendered.setting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the chart installs. */
class ChartTest {
  private final Chart chart = new Chart(FOLDER);

  private List<JsonNode> render(String values) {
    return chart.render(values);
  }

  @Test
  void helm_finds_nothing_to_say_of_it() {
    LintResult result = chart.helm().lint().strict().call();

    assertThat(result.isFailed()).as(String.join("\n", result.getMessages())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {LEAST, ALL})
  void every_field_is_one_that_kubernetes_knows(String values) {
    Set<String> others =
        render(values).stream()
            .filter(object -> !Chart.read(object))
            .map(object -> object.path("kind").asText())
            .collect(Collectors.toSet());

    assertThat(others).isEqualTo(values.equals(ALL) ? Set.of("ScaledObject") : Set.of());
  }

  @Test
  void a_field_that_kubernetes_does_not_know_is_found() {
    JsonNode deployment = find(render(LEAST), "Deployment", "ebb-api");
    ((ObjectNode) container(deployment.at("/spec/template"))).put("readynessProbe", "");

    assertThatThrownBy(() -> Chart.read(deployment)).hasMessageContaining("readynessProbe");
  }

  @Test
  void a_number_where_kubernetes_wants_a_text_is_found() {
    JsonNode deployment = find(render(LEAST), "Deployment", "ebb-api");
    ((ObjectNode) deployment.at("/metadata/labels")).put("app.kubernetes.io/instance", 123);

    assertThatThrownBy(() -> Chart.read(deployment)).hasMessageContaining("labels");
  }

  @Test
  void a_name_that_yaml_takes_for_something_else_stays_that_name() {
    Map<String, String> names = new HashMap<>();
    for (String path :
        List.of(
            "database.node.secret",
            "database.node.key",
            "adminToken.secret",
            "adminToken.key",
            "secretsKey.secret",
            "secretsKey.key",
            "serviceAccountName",
            "api.ingress.className",
            "api.ingress.tlsSecret")) {
      names.put(path, "1.5");
    }
    names.put("migration.annotations", "null");
    names.put("api.ingress.host", "*.example.com");
    List<JsonNode> objects = new Chart(FOLDER, "123").render(ALL, names);

    assertThat(objects).filteredOn(Chart::read).hasSizeGreaterThan(8);
    JsonNode ingress = find(objects, "Ingress", "123-ebb-api");
    assertThat(ingress.at("/spec/rules/0/host").asText()).isEqualTo("*.example.com");
  }

  @Test
  void a_label_by_which_prometheus_finds_it_may_be_one_of_the_charts() {
    Map<String, String> label =
        Map.of("monitoring.serviceMonitor.labels.app\\.kubernetes\\.io/name", "other");

    JsonNode monitor = find(chart.render(ALL, label), "ServiceMonitor", "ebb-metrics");
    assertThat(monitor.at("/metadata/labels/app.kubernetes.io~1name").asText()).isEqualTo("other");
    assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "image.repository         | image.repository must name where you pushed Ebb's image",
        "database.url             | database.url must be the JDBC URL of your PostgreSQL",
        "database.node.secret     | database.node.secret must name the secret",
        "database.owner.secret    | database.owner.secret must name the secret",
        "networkPolicy.database   | networkPolicy.database must say where the database is",
        "api.ingress.host         | api.ingress.host must be the name that people ask for",
        "worker.keda.authentication | worker.keda.authentication must name a TriggerAuthentication",
      })
  void what_has_no_default_is_asked_for_in_a_sentence(String path, String sentence) {
    String nothing = path.equals("networkPolicy.database") ? "null" : "";

    assertThatThrownBy(() -> chart.render(ALL, Map.of(path, nothing)))
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @CsvSource({
    "wroker.replicas,3",
    "api.replicas,many",
    "settings.HISTORY_DAYS,3",
    "database.url,a"
  })
  void a_value_that_is_misspelled_is_refused(String path, String value) {
    assertThatThrownBy(() -> chart.render(LEAST, Map.of(path, value)))
        .hasMessageContaining("values");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "worker.keda.min | 21 | worker.keda.min must not be above",
        "worker.keda.cooldownSeconds | 3601 | cooldownSeconds",
      })
  void workers_that_cannot_be_scaled_so_are_refused(String path, String value, String sentence) {
    assertThatThrownBy(() -> chart.render(ALL, Map.of(path, value))).hasMessageContaining(sentence);
  }

  @Test
  void a_pod_is_killed_only_after_its_drain() {
    assertThat(pod(render(LEAST), "api").at("/spec/terminationGracePeriodSeconds").asInt())
        .isEqualTo(50);
    JsonNode worker = pod(render(ALL), "worker");
    assertThat(worker.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(80);
    assertThat(setting(worker, "EBB_DRAIN")).isEqualTo("60s");
  }

  @ParameterizedTest
  @ValueSource(strings = {LEAST, ALL})
  void a_pod_has_no_rights_that_it_does_not_need(String values) {
    List<JsonNode> pods = pods(render(values));

    assertThat(pods)
        .hasSize(3)
        .allSatisfy(pod -> {
          assertThat(pod.at("/spec/automountServiceAccountToken").asBoolean(true)).isFalse();
          assertThat(pod.at("/spec/securityContext/runAsNonRoot").asBoolean()).isTrue();
          JsonNode security = container(pod).path("securityContext");
          assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
          assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
          assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
          assertThat(container(pod).at("/resources/limits/memory").asText()).isNotEmpty();
        });
  }

  @Test
  void only_the_migration_knows_the_owner_of_the_schema() {
    List<JsonNode> objects = render(ALL);

    assertThat(setting(pod(objects, "migration"), "EBB_DB_USER")).isEqualTo("owner");
    assertThat(pod(objects, "migration").at("/spec/volumes/1/secret/items/0/key").asText())
        .isEqualTo("owner");
    for (String node : List.of("api", "worker")) {
      assertThat(setting(pod(objects, node), "EBB_DB_USER")).isEqualTo("node");
      assertThat(pod(objects, node).toString()).doesNotContain("\"owner\"");
    }
  }

  @Test
  void the_migration_comes_before_the_nodes_of_its_version() {
    assertThat(container(pod(render(LEAST), "migration")).at("/args/0").asText())
        .isEqualTo("migrate");
    // Helm shows no hook among what it installs.
    assertThat(pods(chart.render(LEAST, Map.of()))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {LEAST, ALL})
  void what_selects_pods_finds_some(String values) {
    List<JsonNode> objects = render(values);
    List<String> pods =
        pods(objects).stream().map(pod -> entries(pod.at("/metadata/labels"))).toList();
    List<JsonNode> selectors = new ArrayList<>();
    for (String path :
        List.of("/spec/selector", "/spec/selector/matchLabels", "/spec/podSelector/matchLabels")) {
      objects.stream()
          .filter(object -> !object.path("kind").asText().equals("ServiceMonitor"))
          .map(object -> object.at(path))
          .filter(selector -> selector.isObject() && !selector.has("matchLabels"))
          .forEach(selectors::add);
    }

    assertThat(selectors)
        .hasSizeGreaterThan(4)
        .allSatisfy(selector ->
            assertThat(pods)
                .anySatisfy(pod -> assertThat(pod).contains(entries(selector).split("\n"))));
  }

  private static String entries(JsonNode labels) {
    return labels.properties().stream()
        .map(label -> label.getKey() + "=" + label.getValue().asText())
        .collect(Collectors.joining("\n", "\n", "\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {LEAST, ALL})
  void every_mount_has_its_volume_and_every_probe_its_port(String values) {
    assertThat(pods(render(values)))
        .allSatisfy(pod -> {
          JsonNode container = container(pod);
          assertThat(names(container.path("volumeMounts")))
              .containsExactlyInAnyOrderElementsOf(names(pod.at("/spec/volumes")));
          for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            String port = container.path(probe).at("/httpGet/port").asText();
            assertThat(port.isEmpty() || names(container.path("ports")).contains(port)).isTrue();
          }
        });
  }

  @Test
  void every_pod_has_the_volumes_of_the_values() {
    assertThat(pods(render(ALL)))
        .hasSize(3)
        .allSatisfy(
            pod -> assertThat(names(container(pod).path("volumeMounts"))).contains("authority"));
  }

  @Test
  void the_migration_runs_on_machines_of_its_own_choice() {
    JsonNode migration = pod(render(ALL), "migration");

    assertThat(migration.at("/spec/nodeSelector/pool").asText()).isEqualTo("pay");
    assertThat(migration.at("/spec/tolerations/0/key").asText()).isEqualTo("dedicated");
  }

  @Test
  void keda_alone_decides_how_many_workers_there_are() {
    List<JsonNode> objects = render(ALL);

    assertThat(find(objects, "Deployment", "ebb-worker").path("spec").has("replicas")).isFalse();
    JsonNode scaled = find(objects, "ScaledObject", "ebb-worker");
    assertThat(scaled.at("/spec/triggers/0/metadata/query"))
        .hasToString("\"select ebb.demand('{bookings,default}')\"");
    assertThat(
            scaled
                .at("/spec/advanced/horizontalPodAutoscalerConfig/behavior/scaleDown")
                .path("stabilizationWindowSeconds")
                .asInt())
        .isEqualTo(600);
  }

  /** Many jobs are due for a worker whose jobs are short. */
  @Test
  void a_replica_may_be_wanted_for_more_jobs_than_it_runs_at_a_time() {
    JsonNode scaled =
        find(
            chart.render(ALL, Map.of("worker.keda.jobsPerReplica", "2000")),
            "ScaledObject",
            "ebb-worker");

    assertThat(scaled.at("/spec/triggers/0/metadata/targetQueryValue").asText()).isEqualTo("2000");
  }

  @Test
  void it_installs_the_version_that_it_stands_beside() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String version = pom.replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");

    assertThat(container(pod(render(LEAST), "api")).path("image").asText())
        .isEqualTo("registry.example.com/ebb:" + version);
  }
}
