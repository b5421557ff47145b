package dev.ebb.api.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * An amount that senders share: all together take no more than there is, and none more than half of
 * it, so that one sender leaves room for the others.
 *
 * <p>A sender is what tells it apart; of addresses an IPv4 address, or the first 64 bits of an IPv6
 * address, of which one machine may use as many as it likes.
 */
public final class Shares {
  private final long whole;
  private final Map<Object, Long> takenBySender = new HashMap<>();
  private long taken;

  public Shares(long whole) {
    this.whole = whole;
  }

  /** Takes so much for the sender; false, and nothing is taken, where it has no room. */
  public synchronized boolean take(Object sender, long amount) {
    Object key = key(sender);
    long own = takenBySender.getOrDefault(key, 0L) + amount;
    if (own > whole / 2 || taken + amount > whole) {
      return false;
    }
    takenBySender.put(key, own);
    taken += amount;
    return true;
  }

  /** Gives back so much of what the sender took. */
  public synchronized void giveBack(Object sender, long amount) {
    takenBySender.computeIfPresent(
        key(sender), (_, own) -> own == amount ? null : Long.valueOf(own - amount));
    taken -= amount;
  }

  public synchronized long taken() {
    return taken;
  }

  /** How many senders hold a share. */
  synchronized int senders() {
    return takenBySender.size();
  }

  private static Object key(Object sender) {
    return sender instanceof InetAddress address ? sender(address) : sender;
  }

  /** What two addresses of one sender have in common. */
  public static Object sender(InetAddress address) {
    return address instanceof Inet6Address ? ByteBuffer.wrap(address.getAddress(), 0, 8) : address;
  }
}
