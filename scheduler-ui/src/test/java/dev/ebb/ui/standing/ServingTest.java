package dev.ebb.ui.standing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Node;
import dev.ebb.contract.NodeList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServingTest {
  private static Node node(String state, @Nullable String queue, String kind, int inFlight) {
    boolean works = !kind.isEmpty();
    return new Node(
        "n",
        works ? "worker" : "api",
        state,
        "1",
        "hash",
        queue == null ? null : List.of(queue),
        works ? List.of(kind) : List.of(),
        10,
        inFlight,
        Standings.NOON,
        Standings.NOON,
        null,
        null,
        null,
        null,
        null);
  }

  private static Serving of(@Nullable String kind, Node... nodes) {
    return Serving.of(new NodeList(Arrays.asList(nodes), null), "q", kind);
  }

  @ParameterizedTest
  @CsvSource({
    "running,  ,  k, 9,  FREE",
    "running,  q, k, 9,  FREE",
    "running,  ,  k, 10, FULL",
    "draining, ,  k, 0,  DRAINING",
    "running,  r, k, 0,  NOT_SERVED",
    "running,  ,  j, 0,  KIND_UNKNOWN",
    "running,  r, j, 0,  KIND_UNKNOWN",
    "lost,     ,  k, 0,  NO_WORKER",
    "stopped,  ,  k, 0,  NO_WORKER",
    "running,  ,  '', 0, NO_WORKER"
  })
  void a_node_counts_if_it_lives_knows_the_kind_serves_the_queue_claims_and_has_room(
      String state, @Nullable String queue, String kind, int inFlight, Serving expected) {
    assertThat(of("k", node(state, queue, kind, inFlight))).isEqualTo(expected);
  }

  @Test
  void one_node_that_can_is_enough_and_an_unknown_kind_is_known_to_all() {
    Node full = node("running", null, "k", 10);
    Node other = node("running", "r", "j", 0);

    assertThat(of("k", full, other, node("running", "q", "k", 0))).isEqualTo(Serving.FREE);
    assertThat(of(null, node("running", "q", "j", 0))).isEqualTo(Serving.FREE);
    assertThat(of("k", full, other)).isEqualTo(Serving.FULL);
  }

  @Test
  void nodes_that_were_not_looked_at_may_serve_it() {
    assertThat(Serving.of(new NodeList(List.of(), "more"), "q", "k")).isEqualTo(Serving.FREE);
  }
}
