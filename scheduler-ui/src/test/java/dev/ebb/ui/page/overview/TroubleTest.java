package dev.ebb.ui.page.overview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.contract.Finding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TroubleTest {
  @ParameterizedTest
  @CsvSource({
    "no_worker, /nodes?, Nodes",
    "clock_skew, /nodes?, Nodes",
    "queue_paused, /queues/q?, Queue",
    "rate_cut, /queues/q?, Queue",
    "queues_paused, /queues?, Queues",
    "queue_late, /jobs?queue:q state:due, Due jobs",
    "queues_late, /jobs?state:due, Due jobs",
    "dead_letters, /dead?, Dead letters",
    "fsync, /database?, Database"
  })
  void a_finding_leads_to_where_it_can_be_dealt_with(String code, String link, String text) {
    Finding finding = new Finding(code, "warn", "So it is.", "Mend it.", "q", null);

    assertThat(Trouble.of(finding, (path, q) -> path + "?" + q))
        .isEqualTo(new Trouble(finding, link, text));
  }
}
