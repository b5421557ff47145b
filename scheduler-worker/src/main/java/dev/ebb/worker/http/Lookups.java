package dev.ebb.worker.http;

import java.io.Serial;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hc.client5.http.psl.PublicSuffixMatcher;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;

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
 *
 * <p>The {@value #THREADS} threads are shared out by domain, which is what one owner registers. A
 * domain whose name servers did not answer the last time gets {@value #UNPROVEN}, and leaves the
 * last {@value #KEPT} to the others. One of the others gets a thread while it holds less than half
 * as many as are free, so alone it gets a third of them all.
 */
final class Lookups {
  static final int THREADS = 64;
  static final int UNPROVEN = 2;
  static final int KEPT = 16;

  static final Duration REMEMBERED = Duration.ofSeconds(30);
  static final Duration SILENT = Duration.ofSeconds(10);

  /** Answers with more addresses are not remembered. */
  static final int MOST_ADDRESSES = 32;

  /**
   * No address after this time means that the resolver waited in vain; it does not say so itself.
   */
  static final Duration GAVE_UP = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofMillis(2_500);
  private static final PublicSuffixMatcher SUFFIXES = PublicSuffixMatcherLoader.getDefault();

  private final Resolver resolver;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final LruMap<Lookup> names = new LruMap<>();
  private final LruMap<Boolean> answeringDomains = new LruMap<>();
  private final List<String> domainsUnderWay = new ArrayList<>();

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

  /** The last look-up of a name; the answer has no address if there is no such name. */
  private final class Lookup {
    private final String name;
    private final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    private final long begunNanos = nanoTime.getAsLong();
    private long forgottenNanos = begunNanos;

    Lookup(String name) {
      this.name = name;
    }

    boolean isOfUse() {
      return !answer.isDone() || forgottenNanos - nanoTime.getAsLong() > 0;
    }

    void end(List<InetAddress> found, boolean silent) {
      forgottenNanos = nanoTime.getAsLong() + (silent ? SILENT : REMEMBERED).toNanos();
      if (silent) {
        answer.completeExceptionally(new TimeoutException());
      } else {
        answer.complete(found);
      }
    }
  }

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
    Lookup lookup = lookup(host.toLowerCase(Locale.ROOT));
    long waited = nanoTime.getAsLong() - lookup.begunNanos;
    try {
      return lookup.answer.get(patience.toNanos() - waited, TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      fellSilent(domain(lookup.name));
      throw new Silent();
    } catch (ExecutionException _) {
      throw new Silent();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private synchronized Lookup lookup(String name) throws NoThread {
    Lookup last = names.get(name);
    if (last != null && last.isOfUse()) {
      return last;
    }
    String domain = domain(name);
    if (!hasThreadFor(domain)) {
      throw new NoThread();
    }
    Lookup next = new Lookup(name);
    Thread.ofPlatform().daemon().name("ebb-dns").start(() -> run(next, domain));
    domainsUnderWay.add(domain);
    names.put(name, next);
    return next;
  }

  /** By the public suffix list: {@code merchant.co.uk}, {@code shop.myshopify.com}. */
  static String domain(String name) {
    String domain = SUFFIXES.getDomainRoot(name);
    return domain == null ? name : domain;
  }

  private boolean hasThreadFor(String domain) {
    int holds = Collections.frequency(domainsUnderWay, domain);
    int free = THREADS - domainsUnderWay.size();
    return answeringDomains.containsKey(domain)
        ? 2 * holds < free
        : holds < UNPROVEN && free > KEPT;
  }

  private void run(Lookup lookup, String domain) {
    List<InetAddress> found = List.of();
    try {
      found = List.of(resolver.addresses(lookup.name));
    } catch (UnknownHostException | RuntimeException _) {
      // There is no such name, or the resolver has given up.
    } finally {
      end(lookup, domain, found);
    }
  }

  /** The system's resolver may hang for long after everybody's patience has ended. */
  private synchronized void fellSilent(String domain) {
    answeringDomains.remove(domain);
  }

  private synchronized void end(Lookup lookup, String domain, List<InetAddress> found) {
    long took = nanoTime.getAsLong() - lookup.begunNanos;
    boolean silent = found.isEmpty() && took >= GAVE_UP.toNanos();
    domainsUnderWay.remove(domain);
    if (silent || took >= patience.toNanos()) {
      answeringDomains.remove(domain);
    } else {
      answeringDomains.put(domain, true);
    }
    if (!silent && (found.isEmpty() || found.size() > MOST_ADDRESSES)) {
      names.remove(lookup.name);
    }
    lookup.end(found, silent);
  }
}
