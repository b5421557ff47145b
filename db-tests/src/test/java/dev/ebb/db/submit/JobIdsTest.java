package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.job.NewJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class JobIdsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:15:30.123456789Z");

  private static final NewJob JOB = NewJob.of("echo", "1");

  private final AtomicLong last = new AtomicLong();

  @Test
  void an_id_is_a_uuid_of_version_7_that_bears_the_millisecond() {
    UUID id = JobIds.next(1, last, NOW)[0];

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
    // 0.456789 of a millisecond in 4096 parts.
    assertThat(id.getMostSignificantBits() & 0xfff).isEqualTo(1871);
  }

  @Test
  void ids_ascend_within_a_call_between_calls_and_when_the_clock_goes_back() {
    List<UUID> ids = new ArrayList<>();
    for (Instant now : List.of(NOW, NOW, NOW.plusNanos(300), NOW.minusSeconds(60))) {
      ids.addAll(List.of(JobIds.next(10_000, last, now)));
    }

    for (int i = 1; i < ids.size(); i++) {
      assertThat(ids.get(i).toString()).isGreaterThan(ids.get(i - 1).toString());
    }
  }

  @Test
  void ids_catch_up_with_the_clock() {
    JobIds.next(10_000, last, NOW);

    UUID later = JobIds.next(1, last, NOW.plusSeconds(1))[0];

    assertThat(later.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli() + 1000);
  }

  @Test
  void two_processes_at_the_same_instant_make_different_ids() {
    Set<UUID> ids = new HashSet<>(List.of(JobIds.next(1000, new AtomicLong(), NOW)));
    ids.addAll(List.of(JobIds.next(1000, new AtomicLong(), NOW)));

    assertThat(ids).hasSize(2000);
  }

  @Test
  void a_job_with_a_key_has_version_8_and_last_bits_that_follow_from_its_request() {
    Submission first = keyed("order-1", "a", 3);

    UUID[] ids = JobIds.of(List.of(Submission.of(JOB), first));
    UUID[] repeated = JobIds.of(List.of(first));

    assertThat(ids[0].version()).isEqualTo(7);
    assertThat(ids).doesNotContain(repeated);
    assertThat(lastBits(repeated)).isEqualTo(lastBits(Arrays.copyOfRange(ids, 1, 4)));
    assertThat(lastBits(repeated)).doesNotHaveDuplicates();
    assertThat(repeated)
        .allSatisfy(id -> {
          assertThat(id.version()).isEqualTo(8);
          assertThat(id.variant()).isEqualTo(2);
          assertThat(id.getMostSignificantBits() >>> 16)
              .isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
        });
  }

  @Test
  void another_key_and_another_request_give_other_last_bits() {
    List<Submission> submissions =
        List.of(keyed("order-1", "a", 1), keyed("order-2", "a", 1), keyed("order-1", "b", 1));

    assertThat(lastBits(JobIds.of(submissions))).doesNotHaveDuplicates();
  }

  private static Submission keyed(String key, String request, int jobs) {
    return new Submission(
        Collections.nCopies(jobs, JOB),
        Set.of(),
        IdempotencyKey.of("client", "POST /v1/jobs", key, request));
  }

  private static List<Long> lastBits(UUID[] ids) {
    return Arrays.stream(ids).map(UUID::getLeastSignificantBits).toList();
  }

  @Test
  void threads_share_no_id() throws InterruptedException {
    Set<UUID> ids = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int j = 0; j < 1000; j++) {
                  ids.addAll(List.of(JobIds.next(7)));
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(ids).hasSize(8 * 7 * 1000);
  }
}
