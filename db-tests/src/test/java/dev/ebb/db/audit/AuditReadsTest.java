package dev.ebb.db.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.core.access.Act;
import dev.ebb.db.Bench;
import dev.ebb.db.schema.Partitions;
import dev.ebb.db.schema.Retention;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditReadsTest {
  private Bench bench;
  private AuditReads audit;

  @BeforeEach
  void open() {
    bench = new Bench();
    audit = new AuditReads(bench.database);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void write(String actor, String action, String subject) throws SQLException {
    bench.database.inTransaction(connection -> {
      Audit.write(connection, Act.onMachine(actor), action, subject, 1);
      return true;
    });
  }

  private static AuditFilter filter(
      @Nullable String actor, @Nullable String action, @Nullable String subject) {
    return new AuditFilter(actor, action, subject, null, null, null);
  }

  private List<String> listed(AuditFilter filter) throws SQLException {
    return audit.list(filter, 9).entries().stream()
        .map(entry -> entry.act().actor() + " " + entry.action() + " " + entry.subject())
        .toList();
  }

  /** As where nobody made a month for long. */
  private void dropMonths() throws SQLException {
    bench.execute(
        """
        do $$
        declare
          month regclass;
        begin
          for month in
            select i.inhrelid::regclass from pg_inherits i
            where i.inhparent = 'ebb.audit'::regclass
              and i.inhrelid <> 'ebb.audit_rest'::regclass
          loop
            execute 'drop table ' || month;
          end loop;
        end $$
        """);
  }

  private void writeBefore(String age) throws SQLException {
    bench.execute(
        """
        insert into ebb.audit (id, actor, action, subject, affected)
        select
          overlay(overlay(least_id placing '7' from 15) placing '8' from 20)::uuid,
          'old', 'job.cancel', 's', 1
        from (select ebb.first_id(now() - interval '%s')::text as least_id) i
        """
            .formatted(age));
  }

  @Test
  void entries_of_months_that_nobody_made_in_time_get_a_partition() throws SQLException {
    Partitions partitions = new Partitions(bench.database);
    dropMonths();
    writeBefore("70 days");
    write("ada", "job.cancel", "one");
    assertThat(bench.count("ebb.audit_rest")).isEqualTo(2);

    assertThat(partitions.roll(Retention.of(14))).isEqualTo(Partitions.Step.DONE);
    write("bob", "job.cancel", "two");

    assertThat(bench.count("ebb.audit_rest")).isZero();
    assertThat(listed(filter(null, null, null)))
        .containsExactly("bob job.cancel two", "ada job.cancel one", "old job.cancel s");
    assertThatThrownBy(() -> bench.execute("delete from ebb.audit"))
        .hasMessageContaining("append-only");
    assertThat(partitions.roll(Retention.of(14))).isEqualTo(Partitions.Step.DONE);
  }

  @Test
  void entries_of_such_months_are_dropped_when_they_are_old() throws SQLException {
    Partitions partitions = new Partitions(bench.database);
    writeBefore("500 days");
    assertThat(bench.count("ebb.audit_rest")).isOne();

    while (partitions.roll(Retention.of(14)) == Partitions.Step.MORE) {
      assertThat(bench.count("ebb.audit_rest")).isZero();
    }

    assertThat(bench.count("ebb.audit")).isZero();
  }

  @Test
  void entries_are_found_by_actor_action_and_subject_newest_first() throws SQLException {
    write("ada", "job.cancel", "one");
    write("bob", "queue.pause", "one");
    write("ada", "queue.resume", "two");

    assertThat(listed(filter(null, null, null)))
        .containsExactly("ada queue.resume two", "bob queue.pause one", "ada job.cancel one");
    assertThat(listed(filter("ada", null, null)))
        .containsExactly("ada queue.resume two", "ada job.cancel one");
    assertThat(listed(filter(null, "queue", null)))
        .containsExactly("ada queue.resume two", "bob queue.pause one");
    assertThat(listed(filter(null, "queue.pause", null))).containsExactly("bob queue.pause one");
    assertThat(listed(filter(null, null, "one")))
        .containsExactly("bob queue.pause one", "ada job.cancel one");
    assertThat(listed(filter("ada", "job", "one"))).containsExactly("ada job.cancel one");
    assertThat(listed(filter("ada", "queue", "one"))).isEmpty();
  }

  @Test
  void entries_are_found_by_time_to_the_millisecond() throws SQLException {
    write("ada", "job.cancel", "one");
    bench.execute("select pg_sleep(0.005)");
    write("ada", "job.cancel", "two");
    List<AuditEntry> all = audit.list(filter(null, null, null), 9).entries();
    Instant second = all.getFirst().at();

    assertThat(listed(new AuditFilter(null, null, null, second, null, null)))
        .containsExactly("ada job.cancel two");
    assertThat(listed(new AuditFilter("ada", null, null, null, second, null)))
        .containsExactly("ada job.cancel one");
    assertThat(listed(new AuditFilter(null, null, "two", second.plusNanos(1), null, null)))
        .isEmpty();
  }

  @Test
  void pages_follow_one_another_without_gap_or_repetition() throws SQLException {
    for (int i = 0; i < 7; i++) {
      write("ada", "job.cancel", "job-" + i);
    }

    List<String> seen = new ArrayList<>();
    UUID next = null;
    do {
      AuditReads.Page page = audit.list(new AuditFilter("ada", null, null, null, null, next), 3);
      page.entries().forEach(entry -> seen.add(entry.subject()));
      next = page.next();
    } while (next != null);

    assertThat(seen).containsExactly("job-6", "job-5", "job-4", "job-3", "job-2", "job-1", "job-0");
  }

  @Test
  void a_page_reads_few_blocks_among_very_many_entries_and_has_a_next_one() throws SQLException {
    bench.countBlocks();
    long alone = blocks(filter(null, "token.create", null));
    bench.execute(
        """
        insert into ebb.audit (actor, action, subject, affected)
        select 'actor-' || i % 10, 'job.cancel', 'job-' || i % 1000, 1
        from generate_series(1, 200000) i
        """);
    bench.execute("vacuum analyze ebb.audit");

    for (AuditFilter filter :
        List.of(
            filter(null, "token.create", null),
            filter("actor-3", "token.create", null),
            filter(null, null, "job-500"),
            filter("nobody", null, "job-500"))) {
      assertThat(blocks(filter) - alone).as(filter.toString()).isLessThan(1_500);
    }
    assertThat(audit.list(filter(null, "token.create", null), 9).next()).isNotNull();
    assertThat(audit.list(filter(null, null, "job-500"), 200).entries()).hasSize(200);
    assertThat(blocks(filter(null, null, null))).isLessThan(300);
  }

  private long blocks(AuditFilter filter) throws SQLException {
    bench.resetBlocks();
    var _ = audit.list(filter, 50);
    return bench.blocks("with scanned as materialized%ebb.audit%");
  }
}
