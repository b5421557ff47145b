package dev.ebb.worker.http;

import java.util.HashMap;
import java.util.Map;
import org.apache.hc.client5.http.psl.PublicSuffixMatcher;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;

/**
 * The {@value #MOST} threads on which names are looked up, shared out by domain, so that silent
 * name servers do not take them from the others.
 *
 * <p>A domain whose name servers have not answered lately gets {@value #UNPROVEN}, and leaves the
 * last {@value #KEPT} to those that have. One of those gets another thread while it holds less than
 * half as many as are free, so alone it gets a third of them all. A domain is what one owner
 * registers, by the public suffix list: {@code merchant.co.uk}, {@code shop.myshopify.com}.
 */
final class LookupThreads {
  static final int MOST = 64;
  static final int UNPROVEN = 2;
  static final int KEPT = 16;

  private static final PublicSuffixMatcher SUFFIXES = PublicSuffixMatcherLoader.getDefault();

  private final Map<String, Integer> held = new HashMap<>();
  private final Recent<Boolean> answering = new Recent<>();
  private int running;

  static String domain(String name) {
    String domain = SUFFIXES.getDomainRoot(name);
    return domain == null ? name : domain;
  }

  /** Starts the look-up on a thread of its own; false if its domain gets none now. */
  synchronized boolean start(String domain, Runnable lookup) {
    if (!hasThreadFor(domain)) {
      return false;
    }
    Thread.ofPlatform().daemon().name("ebb-dns").start(() -> run(domain, lookup));
    held.merge(domain, 1, Integer::sum);
    running++;
    return true;
  }

  private boolean hasThreadFor(String domain) {
    int holds = held.getOrDefault(domain, 0);
    int free = MOST - running;
    return answering.containsKey(domain) ? 2 * holds < free : holds < UNPROVEN && free > KEPT;
  }

  private void run(String domain, Runnable lookup) {
    try {
      lookup.run();
    } finally {
      end(domain);
    }
  }

  private synchronized void end(String domain) {
    held.computeIfPresent(domain, (_, count) -> count == 1 ? null : count - 1);
    running--;
  }

  /** Takes note that the domain's name servers answered. */
  synchronized void answered(String domain) {
    answering.put(domain, true);
  }

  /** Takes note that they kept silent. */
  synchronized void fellSilent(String domain) {
    answering.remove(domain);
  }
}
