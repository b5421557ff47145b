package dev.ebb.helm;

import static dev.ebb.helm.Rendered.ALL;
import static dev.ebb.helm.Rendered.FOLDER;
import static dev.ebb.helm.Rendered.find;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the policies of the network let pods reach. */
class ChartPoliciesTest {
  private final Chart chart = new Chart(FOLDER);

  @Test
  void a_policy_lets_deliveries_reach_public_addresses_alone() {
    JsonNode policy = find(chart.render(ALL), "NetworkPolicy", "ebb-worker");

    JsonNode everywhere = policy.at("/spec/egress/2/to/0/ipBlock");
    assertThat(everywhere.path("cidr").asText()).isEqualTo("0.0.0.0/0");
    assertThat(everywhere.path("except").toString())
        .contains("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
        .contains("168.63.129.16/32");
    JsonNode migration = find(chart.render(ALL), "NetworkPolicy", "ebb-migration");
    assertThat(migration.at("/spec/egress")).hasSize(3);
    assertThat(migration.at("/spec/egress/2/to/0/ipBlock/cidr").asText()).isEqualTo("10.0.3.8/32");
  }

  @ParameterizedTest
  @ValueSource(strings = {"api", "worker", "migration"})
  void every_pod_may_ask_for_names_wherever_a_cluster_answers(String component) {
    JsonNode names =
        find(chart.render(ALL), "NetworkPolicy", "ebb-" + component).at("/spec/egress/1");

    assertThat(names.path("to").toString())
        .contains("kube-dns", "169.254.20.10/32", "openshift-dns");
    assertThat(names.path("ports").toString()).contains("53,", "5353,", "UDP", "TCP");
  }

  @Test
  void a_policy_without_name_servers_is_refused() {
    assertThatThrownBy(() -> chart.render(ALL, Map.of("networkPolicy.dns", "null")))
        .hasMessageContaining("networkPolicy.dns must say who answers for names");
  }

  @Test
  void the_policy_of_the_migration_comes_just_before_it() {
    // Helm shows no hook among what it installs.
    assertThat(chart.render(ALL, Map.of()))
        .noneMatch(object -> object.at("/metadata/name").asText().equals("ebb-migration"));

    List<JsonNode> objects =
        chart.render(ALL, Map.of("migration.annotations.helm\\.sh/hook", "null"));
    String weight = "/metadata/annotations/helm.sh~1hook-weight";
    String deletion = "/metadata/annotations/helm.sh~1hook-delete-policy";
    JsonNode policy = find(objects, "NetworkPolicy", "ebb-migration");
    JsonNode job = find(objects, "Job", "ebb-migration");
    assertThat(policy.at(weight).asText()).isEqualTo("-1");
    assertThat(job.at(weight).isMissingNode()).isTrue();
    assertThat(job.at(deletion).asText()).isEqualTo("before-hook-creation");
    assertThat(policy.at(deletion).asText())
        .as("no release would delete it")
        .isEqualTo("before-hook-creation,hook-succeeded");
  }

  @Test
  void it_does_so_at_every_weight_of_the_migration() {
    List<JsonNode> objects =
        chart.render(
            ALL,
            Map.of(
                "migration.annotations.helm\\.sh/hook", "null",
                "migration.annotations.helm\\.sh/hook-weight", "-5"));

    String weight = "/metadata/annotations/helm.sh~1hook-weight";
    assertThat(find(objects, "Job", "ebb-migration").at(weight).asText()).isEqualTo("-5");
    assertThat(find(objects, "NetworkPolicy", "ebb-migration").at(weight).asText()).isEqualTo("-6");
  }
}
