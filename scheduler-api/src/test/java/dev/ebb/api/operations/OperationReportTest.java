package dev.ebb.api.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.operation.OperationItem;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OperationReportTest {
  @Test
  void a_line_tells_what_became_of_a_job() {
    UUID job = new UUID(1, 2);
    Instant at = Instant.parse("2027-01-31T08:00:00.123456Z");

    assertThat(
            OperationReport.lines(
                List.of(
                    new OperationItem(
                        job, "q", "done", null, 1, at, "succeeded", "order-1", "acme"),
                    new OperationItem(job, "q", "skipped", "held", 2, at, null, null, null),
                    new OperationItem(job, "q", null, null, null, null, null, null, null))))
        .isEqualTo(
            job
                + ",q,done,,1,2027-01-31T08:00:00.123456Z,succeeded,order-1,acme\r\n"
                + job
                + ",q,skipped,held,2,2027-01-31T08:00:00.123456Z,,,\r\n"
                + job
                + ",q,waiting,,,,,,\r\n");
  }
}
