package dev.ebb.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ebb.api.ApiServer.Reply;
import dev.ebb.api.problem.ProblemResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What happens when the database refuses, or answers what nobody expects. */
class DefectTest {
  private static final String JOB = "{\"kind\":\"a\",\"payload\":1,\"uniqueKey\":\"k\"}";

  private ApiServer api;

  @BeforeEach
  void start() {
    api = ApiServer.start();
  }

  @AfterEach
  void stop() {
    api.close();
  }

  @Test
  void a_defect_carries_an_id_that_stands_in_the_log_and_nothing_of_its_cause() {
    Logger logger = (Logger) LoggerFactory.getLogger(ProblemResolver.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    before("ebb.job", "raise exception 'secret' using errcode = '22000'");

    Reply reply = api.post("/v1/jobs", JOB);

    logger.detachAppender(log);
    assertThat(reply.status()).as(reply.body()).isEqualTo(500);
    assertThat(reply.field("traceId")).hasSize(36);
    assertThat(reply.body()).doesNotContain("secret", "Exception");
    assertThat(log.list)
        .filteredOn(event -> event.getFormattedMessage().contains(reply.field("traceId")))
        .singleElement()
        .satisfies(event -> assertThat(event.getThrowableProxy().getMessage()).contains("secret"));
  }

  @Test
  void a_queue_that_cannot_be_answered_is_not_written() {
    api.execute("alter table ebb.queue rename column created_at to made_at");

    Reply refused = api.put("/v1/queues/q", "{\"paused\":true,\"policy\":\"sip\"}");

    assertThat(refused.status()).as(refused.body()).isEqualTo(503);
    assertThat(api.number("select count(*) from ebb.queue")).isZero();
    assertThat(api.number("select count(*) from ebb.audit")).isZero();
  }

  @Test
  void a_job_that_cannot_be_read_is_answered_as_stored_and_as_a_duplicate_by_its_id() {
    before("ebb.job", "new.labels = '7'");
    String job = "{\"kind\":\"a\",\"payload\":1,\"uniqueKey\":\"k\"}";

    Reply stored = api.post("/v1/jobs", job);
    Reply again = api.post("/v1/jobs", job);

    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    assertThat(stored.field("state")).isEqualTo("available");
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.json().propertyNames()).containsExactly("id", "deduplicated");
    assertThat(again.field("id")).isEqualTo(stored.field("id"));
    assertThat(api.get(stored.header("location")).status()).isNotEqualTo(200);
  }

  /** Lets the database do this before each row that is written there. */
  private void before(String table, String statement) {
    api.execute(
        "create function defect() returns trigger language plpgsql as $$ begin "
            + statement
            + "; return new; end $$");
    api.execute(
        "create trigger defect before insert or update on "
            + table
            + " for each row execute function defect()");
  }
}
