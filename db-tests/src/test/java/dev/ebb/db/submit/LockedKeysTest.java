package dev.ebb.db.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.core.job.NewJob;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LockedKeysTest {
  private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 10);
  private final LockedKeys held = new LockedKeys(nanoTime::get);

  private static NewJob job(String kind, String key) {
    return NewJob.builder(kind, "{}").uniqueKey(key).build();
  }

  @Test
  void a_key_is_known_for_a_while_after_it_was_last_seen() {
    held.add(job("a", "k"));
    nanoTime.addAndGet(LockedKeys.MEMORY.toNanos() - 1);
    assertThat(held.has(job("a", "k"))).isTrue();

    held.add(job("a", "k"));
    nanoTime.addAndGet(LockedKeys.MEMORY.toNanos() - 1);
    assertThat(held.has(job("a", "k"))).isTrue();

    nanoTime.incrementAndGet();
    assertThat(held.has(job("a", "k"))).isFalse();
  }

  @Test
  void a_key_is_that_of_its_kind_and_a_job_without_one_is_never_held() {
    held.add(job("a", "k"));

    assertThat(held.has(job("b", "k"))).isFalse();
    assertThat(held.has(NewJob.of("a", "{}"))).isFalse();
  }

  @Test
  void a_key_that_became_free_is_forgotten_at_once() {
    held.add(job("a", "k"));
    held.remove(job("a", "k"));

    assertThat(held.has(job("a", "k"))).isFalse();
  }

  @Test
  void of_too_many_keys_those_not_seen_for_longest_are_forgotten() {
    for (int i = 0; i < LockedKeys.MOST; i++) {
      held.add(job("a", "k" + i));
    }
    held.add(job("a", "k0"));
    held.add(job("a", "one more"));

    assertThat(held.has(job("a", "k0"))).isTrue();
    assertThat(held.has(job("a", "k1"))).isFalse();
    assertThat(held.has(job("a", "one more"))).isTrue();
  }
}
