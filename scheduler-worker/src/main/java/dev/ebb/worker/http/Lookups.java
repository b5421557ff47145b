package dev.ebb.worker.http;

import java.io.InterruptedIOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Looks names up, on threads of their own: the operating system's resolver cannot be interrupted
 * and holds the carrier of a virtual thread, and slow names must not stop everything else that runs
 * on virtual threads.
 *
 * <p>At most {@value #THREADS} look-ups run at once, and at most {@value #PER_DOMAIN} of the names
 * of one domain, so that one with slow name servers does not take all the threads. Domains are told
 * apart by their hash in {@value #DOMAINS} classes: some share their turns, none is remembered. A
 * look-up that gets no turn in time never begins, which {@link NoTurn} says.
 */
final class Lookups implements AutoCloseable {
  static final int THREADS = 64;
  static final int PER_DOMAIN = 8;

  private static final int DOMAINS = 1024;

  private final GuardedResolver.Lookup lookup;
  private final Duration turn;
  private final Semaphore turns = new Semaphore(THREADS);
  private final Semaphore[] domains =
      IntStream.range(0, DOMAINS)
          .mapToObj(_ -> new Semaphore(PER_DOMAIN))
          .toArray(Semaphore[]::new);
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          10,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("ebb-dns-", 0).factory());

  /** The look-up never began. */
  static final class NoTurn extends UnknownHostException {
    @Serial private static final long serialVersionUID = 1L;
  }

  Lookups(GuardedResolver.Lookup lookup) {
    this(lookup, Duration.ofSeconds(1));
  }

  /**
   * A limit other than the usual, for tests.
   *
   * @param turn how long to wait for the domain's turn, and again for a thread
   */
  Lookups(GuardedResolver.Lookup lookup, Duration turn) {
    this.lookup = lookup;
    this.turn = turn;
    threads.allowCoreThreadTimeOut(true);
  }

  /** Waits for a turn and for the answer; throws {@link NoTurn} if there is no turn in time. */
  InetAddress[] addresses(String host) throws UnknownHostException {
    try {
      return begun(host).get();
    } catch (ExecutionException failed) {
      throw unknown(host, failed.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw unknown(host, new InterruptedIOException());
    }
  }

  private CompletableFuture<InetAddress[]> begun(String host) throws InterruptedException, NoTurn {
    Semaphore domain = domains[Math.floorMod(domain(host).hashCode(), DOMAINS)];
    Exchange.lookupWaits(true);
    take(domain);
    try {
      take(turns);
    } catch (InterruptedException | NoTurn none) {
      domain.release();
      throw none;
    }
    Exchange.lookupWaits(false);
    CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
    threads.execute(() -> run(host, domain, answer));
    return answer;
  }

  private void take(Semaphore semaphore) throws InterruptedException, NoTurn {
    if (!semaphore.tryAcquire(turn.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new NoTurn();
    }
  }

  /** Gives the turns back when the look-up is over, not when its exchange is. */
  private void run(String host, Semaphore domain, CompletableFuture<InetAddress[]> answer) {
    try {
      answer.complete(lookup.addresses(host));
    } catch (UnknownHostException | RuntimeException failed) {
      answer.completeExceptionally(failed);
    } finally {
      answer.completeExceptionally(new UnknownHostException(host));
      turns.release();
      domain.release();
    }
  }

  /**
   * The part of a name that one owner is likely to hold: its last two labels, or three where the
   * last two look like a registry's ({@code co.uk}, {@code com.cn}).
   */
  static String domain(String host) {
    String[] labels = host.toLowerCase(Locale.ROOT).split("\\.", -1);
    int n = labels.length;
    boolean registry = n > 2 && labels[n - 1].length() == 2 && labels[n - 2].length() <= 3;
    int kept = Math.min(n, registry ? 3 : 2);
    return String.join(".", Arrays.asList(labels).subList(n - kept, n));
  }

  private static UnknownHostException unknown(String host, @Nullable Throwable cause) {
    UnknownHostException unknown = new UnknownHostException(host);
    unknown.initCause(cause);
    return unknown;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
