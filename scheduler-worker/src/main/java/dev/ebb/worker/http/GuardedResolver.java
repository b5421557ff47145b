package dev.ebb.worker.http;

import java.io.InterruptedIOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Turns a host into the addresses that the client connects to, and refuses the host if any of them
 * may not be reached. The client connects to exactly what this returns, so there is no second
 * look-up in which the answer could change.
 *
 * <p>Look-ups run on threads of their own: the operating system's resolver cannot be interrupted
 * and holds the carrier of a virtual thread, and slow names must not stop everything else that runs
 * on virtual threads. With all {@value #LOOKUPS} busy, further look-ups wait within their attempts.
 */
final class GuardedResolver implements DnsResolver, AutoCloseable {
  private static final int LOOKUPS = 64;

  private final Guard guard;
  private final Lookup lookup;
  private final ThreadPoolExecutor lookups;

  /** Whether an address that a host was resolved to may be connected to. */
  @FunctionalInterface
  interface Guard {
    boolean permits(String host, InetAddress address, int port);
  }

  /** The system's resolver, or a test's. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /** The host stands for an address that may not be reached; says nothing of the address. */
  static final class AddressRefused extends UnknownHostException {
    @Serial private static final long serialVersionUID = 1L;
  }

  GuardedResolver(Guard guard, Lookup lookup) {
    this.guard = guard;
    this.lookup = lookup;
    this.lookups =
        new ThreadPoolExecutor(
            LOOKUPS,
            LOOKUPS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("ebb-dns-", 0).factory());
    lookups.allowCoreThreadTimeOut(true);
  }

  @Override
  public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
    InetAddress[] addresses = lookUp(host);
    if (!Stream.of(addresses).allMatch(address -> guard.permits(host, address, port))) {
      throw new AddressRefused();
    }
    return Stream.of(addresses).map(address -> new InetSocketAddress(address, port)).toList();
  }

  /** Never: rules need the port, and an unchecked address must not leave this class. */
  @Override
  public InetAddress[] resolve(String host) {
    throw new UnsupportedOperationException("resolve with the port");
  }

  private InetAddress[] lookUp(String host) throws UnknownHostException {
    Future<InetAddress[]> answer = lookups.submit(() -> lookup.addresses(host));
    try {
      return answer.get();
    } catch (ExecutionException failed) {
      UnknownHostException unknown = new UnknownHostException(host);
      unknown.initCause(failed.getCause());
      throw unknown;
    } catch (InterruptedException _) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      UnknownHostException given = new UnknownHostException(host);
      given.initCause(new InterruptedIOException());
      throw given;
    }
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  @Override
  public void close() {
    lookups.shutdownNow();
  }
}
