package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.node.Heartbeat;
import dev.ebb.db.node.MissingKeys;
import dev.ebb.db.node.NodeFacts;
import dev.ebb.db.node.Nodes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a heartbeat costs that tells which keys of secrets its node lacks. */
class MissingKeysCostTest {
  private static final NodeFacts NODE =
      new NodeFacts("one", "1", "0", List.of(), List.of("a"), 1, List.of("aaaa"));
  private static final Heartbeat BEAT = new Heartbeat(0, Duration.ZERO, false, false);

  private static long blocks(Bench bench, Nodes nodes) throws SQLException {
    bench.resetBlocks();
    assertThat(nodes.beat(NODE, BEAT)).isPresent();
    return bench.blocks("%update ebb.node%");
  }

  /** What a session reads to plan is read once. */
  private static void plan(Nodes nodes) throws SQLException {
    for (int i = 0; i < 10; i++) {
      var _ = nodes.beat(NODE, BEAT);
    }
  }

  @Test
  void it_costs_the_same_among_ten_thousand_destinations() throws SQLException {
    try (Bench bench = new Bench()) {
      Nodes nodes = new Nodes(bench.database);
      bench.countBlocks();
      var _ = nodes.start(NODE, false);
      plan(nodes);
      long alone = blocks(bench, nodes);

      bench.execute(
          """
          insert into ebb.queue (name, destination)
          select 'd' || n, format(
            '{"url":"https://a.example/%s","headers":{"A":{"sealed":"%s.x"}}}',
            n, case n % 2 when 0 then 'aaaa' else 'bbbb' end)::jsonb
          from generate_series(1, 10000) n
          """);
      bench.execute("vacuum analyze ebb.queue");
      plan(nodes);
      var _ = new MissingKeys(bench.database).list();

      assertThat(alone).isPositive();
      assertThat(blocks(bench, nodes)).isLessThan(alone + 30);
      assertThat(nodes.find("one").orElseThrow().missingKeys()).containsExactly("bbbb");
      bench.resetBlocks();
      assertThat(new MissingKeys(bench.database).list())
          .containsExactly(new MissingKeys.MissingKey("bbbb", null, true));
      assertThat(bench.blocks("%of_destinations%")).isPositive().isLessThan(50);
    }
  }
}
