package dev.ebb.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.LintResult;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTest {
  private static final String LEAST = "values.yaml";
  private static final String ALL = "all-values.yaml";
  private static final Path ROOT = Path.of("..", "..", "..");

  private final Chart chart = new Chart(Path.of("..", "ebb"));

  private List<JsonNode> render(String values) {
    return chart.render(values);
  }

  private static JsonNode find(List<JsonNode> objects, String kind, String name) {
    return objects.stream()
        .filter(object -> object.path("kind").asText().equals(kind))
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .findAny()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }

  /** The templates of all pods. */
  private static List<JsonNode> pods(List<JsonNode> objects) {
    return objects.stream()
        .map(object -> object.at("/spec/template"))
        .filter(JsonNode::isObject)
        .toList();
  }

  private static JsonNode pod(List<JsonNode> objects, String component) {
    return pods(objects).stream()
        .filter(pod ->
            pod.at("/metadata/labels/app.kubernetes.io~1component").asText().equals(component))
        .findAny()
        .orElseThrow();
  }

  private static JsonNode container(JsonNode pod) {
    return pod.at("/spec/containers/0");
  }

  private static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.forEach(one -> names.add(one.path("name").asText()));
    return names;
  }

  private static String setting(JsonNode pod, String name) {
    JsonNode environment = container(pod).path("env");
    List<String> names = names(environment);
    assertThat(names).contains(name);
    return environment.get(names.indexOf(name)).path("value").asText();
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
    assertThat(pods(render(values)))
        .allSatisfy(pod ->
            assertThat(names(container(pod).path("env")))
                .isSubsetOf(known)
                .doesNotHaveDuplicates());
  }

  @Test
  void the_settings_of_a_role_win() {
    List<JsonNode> objects = render(ALL);

    assertThat(setting(pod(objects, "api"), "EBB_HISTORY_DAYS")).isEqualTo("14");
    assertThat(setting(pod(objects, "worker"), "EBB_HISTORY_DAYS")).isEqualTo("30");
    assertThat(setting(pod(objects, "api"), "EBB_LEASE")).isEqualTo("20s");
  }

  @Test
  void the_api_is_asked_under_the_names_of_its_service_and_ingress() {
    assertThat(setting(pod(render(ALL), "api"), "EBB_HTTP_NAMES").split(","))
        .containsExactly(
            "ebb-api",
            "ebb-api.pay",
            "ebb-api.pay.svc",
            "ebb-api.pay.svc.cluster.local",
            "jobs.example.com",
            "jobs.internal");
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
  void a_policy_lets_deliveries_reach_public_addresses_alone() {
    JsonNode policy = find(render(ALL), "NetworkPolicy", "ebb-worker");

    JsonNode everywhere = policy.at("/spec/egress/2/to/0/ipBlock");
    assertThat(everywhere.path("cidr").asText()).isEqualTo("0.0.0.0/0");
    assertThat(everywhere.path("except").toString())
        .contains("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8");
    assertThat(find(render(ALL), "NetworkPolicy", "ebb-migration").at("/spec/egress")).hasSize(2);
  }

  @Test
  void keda_alone_decides_how_many_workers_there_are() {
    List<JsonNode> objects = render(ALL);

    assertThat(find(objects, "Deployment", "ebb-worker").path("spec").has("replicas")).isFalse();
    assertThat(find(objects, "ScaledObject", "ebb-worker").at("/spec/triggers/0/metadata/query"))
        .hasToString("\"select ebb.demand('{bookings,default}')\"");
  }

  @Test
  void it_installs_the_version_that_it_stands_beside() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String version = pom.replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");

    assertThat(container(pod(render(LEAST), "api")).path("image").asText())
        .isEqualTo("registry.example.com/ebb:" + version);
  }
}
