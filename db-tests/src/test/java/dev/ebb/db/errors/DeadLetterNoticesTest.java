package dev.ebb.db.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.http.Destination;
import dev.ebb.core.http.ResponseRules;
import dev.ebb.db.Bench;
import dev.ebb.db.DeadLetters;
import dev.ebb.db.TestPostgres;
import dev.ebb.db.connection.Statements;
import dev.ebb.db.queue.QueueSettings;
import dev.ebb.db.queue.Queues;
import dev.ebb.db.settings.ClusterSettings;
import dev.ebb.db.settings.ClusterSettings.Chosen;
import dev.ebb.db.stats.DyingConnection;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Who is told of dead letters, how often, and of how many. */
class DeadLetterNoticesTest {
  private static final String BODIES =
      """
      select payload::jsonb ->> 'body' as body
      from ebb.job
      where queue = ?
      order by created_at, id
      """;

  private static final int STATEMENTS = 16;

  private Bench bench;
  private ErrorGroups groups;

  @BeforeEach
  void open() throws SQLException {
    bench = new Bench();
    groups = new ErrorGroups(bench.database);
    destination("acme");
    destination("operations");
    noticesGoTo("operations");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void destination(String name) throws SQLException {
    URI url = URI.create("https://" + name + ".example/");
    Destination address =
        new Destination(url, null, Map.of(), ResponseRules.DEFAULT, null, Map.of());
    var _ =
        new Queues(bench.database)
            .putDestination(name, QueueSettings.of(false, null).to(address), Bench.ACT, _ -> {});
  }

  private void noticesGoTo(@Nullable String queue) throws SQLException {
    var _ =
        new ClusterSettings(bench.database)
            .change(before -> new Chosen(before.subject(), queue), Bench.ACT, _ -> {});
  }

  private void die(String queue, int many, String age) {
    DeadLetters.in(queue).destination(queue).age(age).store(bench.config, many);
  }

  private void group() throws SQLException {
    while (groups.groupNew()) {}
  }

  /** As it is when so much time has passed. */
  private void pass(String length) throws SQLException {
    bench.execute(
        "update ebb.dead_letter_notice set next_at = next_at - interval '" + length + "'");
  }

  private List<JsonNode> notices(String to) throws SQLException {
    return bench.database.inAutocommit(connection ->
        Statements.list(
            connection,
            BODIES,
            p -> p.text(to),
            row -> JsonMapper.shared().readTree(row.getString("body"))));
  }

  private List<Long> counts() throws SQLException {
    return notices("operations").stream().map(body -> body.get("count").asLong()).toList();
  }

  @Test
  void many_dead_letters_of_a_destination_are_one_notice_that_names_the_first()
      throws SQLException {
    die("acme", 1_200, "10 seconds");
    die("acme", 1, "1 hour");
    group();
    assertThat(counts()).as("within the minute").isEmpty();

    pass("61 seconds");
    group();

    assertThat(counts()).containsExactly(1_201L);
    JsonNode notice = notices("operations").getFirst();
    assertThat(notice.get("type").asString()).isEqualTo("destination.dead_letters");
    assertThat(notice.get("destination").asString()).isEqualTo("acme");
    assertThat(notice.get("subject").asString()).isEqualTo("acme");
    assertThat(notice.get("reason").asString()).isEqualTo("http_500");
    String first = notice.get("job").asString();
    assertThat(
            bench.count(
                "ebb.dead_letter where died_at < now() - interval '50 minutes' and id = '"
                    + first
                    + "' and error_group = '"
                    + notice.get("group").asString()
                    + "'"))
        .isOne();
  }

  @Test
  void those_that_come_later_are_told_of_an_hour_later_and_nobody_of_none() throws SQLException {
    die("acme", 2, "0 s");
    group();
    pass("61 seconds");
    group();
    die("acme", 3, "0 s");
    group();
    pass("59 minutes");
    group();
    assertThat(counts()).containsExactly(2L);

    pass("2 minutes");
    group();
    assertThat(counts()).containsExactly(2L, 3L);

    pass("61 minutes");
    group();
    assertThat(counts()).containsExactly(2L, 3L);
    assertThat(bench.count("ebb.dead_letter_notice")).as("left behind").isZero();
  }

  @Test
  void each_destination_has_its_own_notice_and_a_queue_without_an_address_none()
      throws SQLException {
    destination("bakery");
    die("acme", 2, "0 s");
    die("bakery", 4, "0 s");
    die("plain", 8, "0 s");
    group();
    pass("61 seconds");
    group();

    assertThat(counts()).containsExactlyInAnyOrder(2L, 4L);
  }

  @Test
  void dead_notices_are_told_to_nobody() throws SQLException {
    die("operations", 5, "0 s");
    group();
    assertThat(bench.count("ebb.dead_letter_notice")).as("counted").isZero();
    pass("2 hours");
    group();

    assertThat(notices("operations")).isEmpty();
    assertThat(bench.count("ebb.dead_letter_notice")).isZero();
  }

  @Test
  void what_waits_is_told_to_nobody_once_its_destination_is_the_one_that_is_told()
      throws SQLException {
    die("acme", 5, "0 s");
    group();
    noticesGoTo("acme");
    pass("61 seconds");
    group();

    assertThat(notices("acme")).isEmpty();
    assertThat(bench.count("ebb.dead_letter_notice")).isZero();
  }

  @Test
  void of_many_destinations_sixty_are_told_of_one_by_one_and_the_others_together()
      throws SQLException {
    for (int i = 0; i < 90; i++) {
      destination("shop-" + i);
      die("shop-" + i, 1, "0 s");
    }
    die("shop-7", 4, "0 s");
    group();
    bench.execute(
        "update ebb.dead_letter_notice set next_at = now() + interval '1 s' * (queue = 'shop-7')::int"
            + " - interval '2 s'");
    group();
    assertThat(notices("operations")).hasSize(60);

    passNotices("61 seconds");
    group();

    assertThat(notices("operations")).hasSize(61);
    JsonNode many = notices("operations").getLast();
    assertThat(many.path("type").asString()).isEqualTo("destinations.many");
    assertThat(many.path("destinations").asInt()).isEqualTo(30);
    assertThat(many.path("withDeadLetters").asInt()).isEqualTo(30);
    assertThat(many.path("deadLetters").asInt()).isEqualTo(34);
    assertThat(many.path("disabled").asInt()).isZero();
    assertThat(many.path("worst").size()).isEqualTo(20);
    assertThat(many.at("/worst/0/destination").asString()).isEqualTo("shop-7");
    assertThat(many.at("/worst/0/deadLetters").asInt()).isEqualTo(5);
    assertThat(bench.count("ebb.notice_rest")).isZero();
  }

  @Test
  void the_notice_of_many_comes_once_an_hour_and_slots_are_free_again_after_one()
      throws SQLException {
    bench.execute("update ebb.notice_slot set taken_at = now() where slot > 1");
    tellOf("bakery");
    tellOf("cafe");
    passNotices("61 seconds");
    group();
    assertThat(types()).containsExactly("destination.dead_letters", "destinations.many");

    tellOf("dairy");
    passNotices("50 minutes");
    group();
    assertThat(types()).hasSize(2);

    passNotices("10 minutes");
    group();
    tellOf("florist");
    assertThat(types().subList(2, 4))
        .containsExactly("destinations.many", "destination.dead_letters");
  }

  /** A destination has a dead letter of which people are to be told now. */
  private void tellOf(String name) throws SQLException {
    destination(name);
    die(name, 1, "0 s");
    group();
    pass("61 seconds");
    group();
  }

  /** As it is when so much time has passed since all notices. */
  private void passNotices(String length) throws SQLException {
    bench.execute(
        "update ebb.notice_slot set taken_at = taken_at - interval '%1$s';"
            .concat("update ebb.notice_rest set at = at - interval '%1$s'")
            .formatted(length));
  }

  private List<String> types() throws SQLException {
    return notices("operations").stream().map(body -> body.get("type").asString()).toList();
  }

  @Test
  void what_was_kept_is_not_told_to_the_destination_that_it_is_of() throws SQLException {
    bench.execute("update ebb.notice_slot set taken_at = now() where slot > 0");
    tellOf("bakery");
    noticesGoTo("bakery");
    passNotices("61 seconds");
    group();

    assertThat(notices("bakery")).isEmpty();
    assertThat(bench.count("ebb.notice_rest")).isZero();
  }

  @Test
  void without_a_destination_for_notices_nothing_is_counted() throws SQLException {
    noticesGoTo(null);
    die("acme", 5, "0 s");
    group();

    assertThat(bench.count("ebb.dead_letter where error_group is not null")).isEqualTo(5);
    assertThat(bench.count("ebb.dead_letter_notice")).isZero();
  }

  @Test
  void a_dead_letter_that_an_erasure_takes_from_its_group_is_not_counted_again()
      throws SQLException {
    die("acme", 2, "3 weeks");
    group();
    pass("61 seconds");
    group();
    List<UUID> ids =
        bench.database.inAutocommit(connection ->
            Statements.list(
                connection,
                "select id from ebb.dead_letter",
                _ -> {},
                row -> row.getObject(1, UUID.class)));
    for (UUID id : ids) {
      bench.changes.erase(id, Bench.ACT);
    }
    assertThat(bench.count("ebb.dead_letter where error_group is null")).isEqualTo(2);

    group();
    pass("61 minutes");
    group();

    assertThat(bench.count("ebb.dead_letter where error_group is null")).isZero();
    assertThat(counts()).containsExactly(2L);
  }

  /** Groups, and dies before that statement; answers whether it got that far. */
  private boolean dieBefore(int statement, boolean inTransaction) throws SQLException {
    Connection dying = DyingConnection.before(statement, TestPostgres.connect(bench.config));
    dying.setAutoCommit(!inTransaction);
    try (dying) {
      new Grouping(dying, GroupBounds.DEFAULT).next(true);
      if (inTransaction) {
        dying.commit();
      }
      return false;
    } catch (SQLException died) {
      assertThat(died.getMessage()).isEqualTo("died");
      return true;
    }
  }

  /**
   * How many dead letters notices count, and how many there are, after passes that died before each
   * of their statements in turn, and one that did not.
   */
  private long[] toldAndDead(boolean inTransaction) throws SQLException {
    long all = 0;
    boolean died = true;
    for (int statement = 0; died; statement++) {
      assertThat(statement).isLessThan(STATEMENTS);
      pass("2 hours");
      die("acme", 7, "0 s");
      all += 7;
      died = dieBefore(statement, inTransaction);
    }
    group();
    pass("2 hours");
    group();
    return new long[] {counts().stream().mapToLong(Long::longValue).sum(), all};
  }

  @Test
  void a_pass_that_dies_anywhere_and_is_repeated_tells_once_of_each() throws SQLException {
    long[] toldAndDead = toldAndDead(true);

    assertThat(toldAndDead[0]).isEqualTo(toldAndDead[1]);
  }

  @Test
  void control_without_a_transaction_some_are_told_of_twice_or_never() throws SQLException {
    long[] toldAndDead = toldAndDead(false);

    assertThat(toldAndDead[0]).isNotEqualTo(toldAndDead[1]);
  }
}
