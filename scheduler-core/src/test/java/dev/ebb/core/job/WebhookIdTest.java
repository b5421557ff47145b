package dev.ebb.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class WebhookIdTest {
  @Test
  void it_is_the_id_of_a_job_without_an_idempotency_key() {
    String id = "019f2b1e-7c00-7a10-8000-5d2b8f1c0e11";

    assertThat(WebhookId.of(UUID.fromString(id))).isEqualTo(id);
  }

  @Test
  void of_a_job_with_a_key_it_is_the_end_of_the_id_whenever_that_was_submitted() {
    for (String id :
        new String[] {
          "019f2b1e-7c00-8a10-9c1f-5d2b8f1c0e11", "019f2b1f-0000-8001-9c1f-5d2b8f1c0e11"
        }) {
      assertThat(WebhookId.of(UUID.fromString(id))).isEqualTo("9c1f-5d2b8f1c0e11");
    }
  }
}
