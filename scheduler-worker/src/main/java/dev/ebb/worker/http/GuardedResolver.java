package dev.ebb.worker.http;

import java.net.IDN;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Turns a host into the addresses that the client connects to, and refuses the host if any of them
 * may not be reached. The client connects to exactly what this returns, so there is no second
 * look-up in which the answer could change. Answers are remembered as they came and judged at every
 * use.
 */
final class GuardedResolver implements DnsResolver {
  private final Guard guard;
  private final Lookups lookups;

  /** Whether an address that a host was resolved to may be connected to. */
  @FunctionalInterface
  interface Guard {
    boolean permits(String host, InetAddress address, int port);

    /** Whether it names the host, so that those who submit may learn whether it exists. */
    default boolean names(String host) {
      return false;
    }
  }

  GuardedResolver(Guard guard, Lookups lookups) {
    this.guard = guard;
    this.lookups = lookups;
  }

  @Override
  public List<InetSocketAddress> resolve(String shown, int port) throws UnknownHostException {
    // The client has turned xn-- labels into what they spell, if this turns them back.
    String host = IDN.toASCII(shown);
    List<InetAddress> addresses = addresses(host, port);
    Exchange.lookedUp();
    if (!addresses.stream().allMatch(address -> guard.permits(host, address, port))) {
      throw new AddressRefused(host, port);
    }
    return addresses.stream().map(address -> new InetSocketAddress(address, port)).toList();
  }

  private List<InetAddress> addresses(String host, int port) throws UnknownHostException {
    try {
      return List.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException _) {
      return lookedUp(host, port);
    }
  }

  /** A name without a dot is one of the inner network: whether it exists is not told. */
  private List<InetAddress> lookedUp(String host, int port) throws UnknownHostException {
    List<InetAddress> addresses = lookups.addresses(host);
    if (!addresses.isEmpty()) {
      return addresses;
    }
    throw host.indexOf('.') >= 0 || guard.names(host)
        ? new UnknownHostException(host)
        : new AddressRefused(host, port);
  }

  /** Never: rules need the port, and an unchecked address must not leave this class. */
  @Override
  public InetAddress[] resolve(String host) {
    throw new UnsupportedOperationException("resolve with the port");
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
