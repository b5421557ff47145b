package dev.ebb.worker.http;

import java.io.Serial;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks names up, on platform threads: the operating system's resolver cannot be interrupted, and
 * holds the carrier of a virtual thread for as long as a name server keeps silent.
 *
 * <pre>
 *   answered in the last 30 s ───────────────────▶ addresses
 *   kept silent in the last 10 s ────────────────▶ Silent
 *   under way ─────────────────┐
 *   else ──▶ a thread? ──yes───┴─▶ within 2.5 s ─▶ addresses, or none
 *                 │                └─ later ─────▶ Silent
 *                 └──no──────────────────────────▶ NoThread
 * </pre>
 */
final class Lookups {
  static final Duration REMEMBERED = Duration.ofSeconds(30);
  static final Duration SILENT = Duration.ofSeconds(10);

  /** Answers with more addresses are not remembered. */
  static final int MOST_ADDRESSES = 32;

  /**
   * No address after this time means that the resolver waited in vain; it does not say so itself.
   */
  static final Duration GAVE_UP = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofMillis(2_500);
  private static final CompletableFuture<List<InetAddress>> LATE =
      CompletableFuture.failedFuture(new TimeoutException());

  private final Resolver resolver;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final LookupThreads threads = new LookupThreads();
  private final Recent<Name> names = new Recent<>();

  /** The system's resolver, or a test's. */
  @FunctionalInterface
  interface Resolver {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /** There was no thread for the look-up, so it never began. */
  static final class NoThread extends UnknownHostException {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** The name servers did not answer in time, just now or a moment ago. */
  static final class Silent extends UnknownHostException {
    @Serial private static final long serialVersionUID = 1L;
  }

  /**
   * What is known of a name.
   *
   * @param answer no address if there is no such name; failed if the name servers kept silent
   * @param untilNanos how long that is remembered, {@code null} while the look-up is under way
   */
  private record Name(CompletableFuture<List<InetAddress>> answer, @Nullable Long untilNanos) {}

  private record Question(
      String name, String domain, long begunNanos, CompletableFuture<List<InetAddress>> reply) {}

  Lookups(Resolver resolver) {
    this(resolver, PATIENCE, System::nanoTime);
  }

  /** With a patience and a clock of its own, for tests. */
  Lookups(Resolver resolver, Duration patience, LongSupplier nanoTime) {
    this.resolver = resolver;
    this.patience = patience;
    this.nanoTime = nanoTime;
  }

  /**
   * The addresses of a name; none if there is no such name.
   *
   * @throws NoThread if the look-up could not begin
   * @throws Silent if there was no answer in time
   */
  List<InetAddress> addresses(String host) throws NoThread, Silent {
    try {
      return answer(host.toLowerCase(Locale.ROOT)).get();
    } catch (ExecutionException _) {
      throw new Silent();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private synchronized CompletableFuture<List<InetAddress>> answer(String name) throws NoThread {
    Name known = names.get(name);
    Long until = known == null ? null : known.untilNanos();
    if (known != null && (until == null || until - nanoTime.getAsLong() > 0)) {
      return known.answer();
    }
    return begin(name);
  }

  private CompletableFuture<List<InetAddress>> begin(String name) throws NoThread {
    Question question =
        new Question(
            name, LookupThreads.domain(name), nanoTime.getAsLong(), new CompletableFuture<>());
    if (!threads.start(question.domain(), () -> ask(question))) {
      throw new NoThread();
    }
    CompletableFuture<List<InetAddress>> answer =
        question
            .reply()
            .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete((_, silent) -> {
              if (silent != null) {
                threads.fellSilent(question.domain());
              }
            });
    names.put(name, new Name(answer, null));
    return answer;
  }

  private void ask(Question question) {
    List<InetAddress> found = List.of();
    try {
      found = List.of(resolver.addresses(question.name()));
    } catch (UnknownHostException | RuntimeException _) {
      // There is no such name, or the resolver has given up.
    } finally {
      end(question, found);
    }
  }

  /** An answer that came too late for those who asked is remembered for those who ask again. */
  private synchronized void end(Question question, List<InetAddress> found) {
    long now = nanoTime.getAsLong();
    boolean gaveUp = found.isEmpty() && now - question.begunNanos() >= GAVE_UP.toNanos();
    boolean answered = !gaveUp && question.reply().complete(found);
    if (answered) {
      threads.answered(question.domain());
    } else {
      question.reply().completeExceptionally(new TimeoutException());
    }
    if (!found.isEmpty() && found.size() <= MOST_ADDRESSES) {
      CompletableFuture<List<InetAddress>> good = CompletableFuture.completedFuture(found);
      names.put(question.name(), new Name(good, now + REMEMBERED.toNanos()));
    } else if (answered) {
      names.remove(question.name());
    } else {
      names.put(question.name(), new Name(LATE, now + SILENT.toNanos()));
    }
  }
}
