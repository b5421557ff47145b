package dev.ebb.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.loop.FailureLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** News here are words; those in upper case are urgent. */
class QueueNewsTest {
  private final List<String> told = new ArrayList<>();
  private Consumer<String> meanwhile = _ -> {};
  private Set<String> locked = Set.of();

  private final QueueNews<String> news = news(this::tell);

  private static QueueNews<String> news(QueueNews.Teller<String> teller) {
    return new QueueNews<>(
        "news",
        new FailureLog(new SimpleMeterRegistry()),
        String::concat,
        word -> !word.equals(word.toLowerCase(Locale.ROOT)),
        teller);
  }

  private void tell(String queue, String word) throws SQLException {
    told.add(queue + ":" + word);
    meanwhile.accept(queue);
    if (locked.contains(queue)) {
      throw new SQLException("its lock was not free", "55P03");
    }
  }

  @Test
  void what_comes_while_others_are_told_waits_for_no_later_turn() {
    for (String queue : List.of("slow", "b", "c")) {
      news.add(queue, "A");
    }
    meanwhile =
        queue -> {
          if (queue.equals("slow")) {
            news.add("b", "B");
            news.add("c", "b");
          }
        };

    assertThat(news.step()).isEqualTo(QueueNews.PAUSE);

    assertThat(told).containsExactly("slow:A", "b:AB", "c:Ab");
    assertThat(news.step()).isEqualTo(QueueNews.REST);
  }

  @Test
  void queues_take_turns_in_the_order_in_which_theirs_became_urgent() {
    List<String> queues = List.of("z", "a", "m", "b", "y", "c");
    queues.forEach(queue -> news.add(queue, "A"));
    news.add("z", "B");

    news.step();

    assertThat(told).containsExactly("z:AB", "a:A", "m:A", "b:A", "y:A", "c:A");
  }

  @Test
  void a_queue_has_one_turn_in_a_step() {
    news.add("a", "A");
    meanwhile = queue -> news.add(queue, "B");

    news.step();
    assertThat(told).containsExactly("a:A");
    news.step();
    assertThat(told).containsExactly("a:A", "a:B");
  }

  @Test
  void what_is_not_urgent_goes_with_what_is() {
    news.add("a", "a");
    assertThat(news.step()).isEqualTo(QueueNews.REST);
    assertThat(told).isEmpty();

    news.add("a", "B");
    news.step();

    assertThat(told).containsExactly("a:aB");
  }

  @Test
  void what_cannot_be_told_is_told_once_more_with_what_came_meanwhile() {
    locked = Set.of("a");
    news.add("a", "A");
    news.add("b", "A");
    news.step();
    assertThat(told).containsExactly("a:A", "b:A");

    news.add("a", "b");
    news.step();
    news.step();

    assertThat(told).containsExactly("a:A", "b:A", "a:Ab");
    assertThat(news.step()).isEqualTo(QueueNews.REST);
  }

  @Test
  void a_flush_tells_what_came_since_the_last_step() {
    news.add("a", "a");
    news.add("b", "A");

    news.flush();

    assertThat(told).containsExactly("b:A");
  }

  @Test
  void urgent_news_ends_the_rest() throws InterruptedException {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(2);
    QueueNews<String> own =
        news((_, _) -> {
          first.countDown();
          second.countDown();
        });
    own.loop().start();
    try {
      own.add("a", "A");
      first.await();
      own.add("a", "A");
      second.await();
    } finally {
      own.loop().close();
    }
  }
}
