package dev.ebb.worker.http;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * A range of addresses that share their first bits (CIDR). IPv4 and IPv6 never match each other.
 *
 * @param prefix the range's first address, 4 or 16 bytes
 * @param bits how many leading bits are fixed
 */
record Network(InetAddress prefix, int bits) {

  /**
   * Reads {@code address/bits}, or an address alone for a range of one.
   *
   * @throws IllegalArgumentException if it is neither, or if a bit is set behind the fixed ones
   */
  static Network parse(String text) {
    int slash = text.indexOf('/');
    InetAddress prefix = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
    int length = prefix.getAddress().length * Byte.SIZE;
    int bits = slash < 0 ? length : Integer.parseInt(text.substring(slash + 1));
    if (bits < 0 || bits > length) {
      throw new IllegalArgumentException("a network has 0 to " + length + " fixed bits");
    }
    Network network = new Network(prefix, bits);
    if (!Arrays.equals(masked(prefix.getAddress(), bits), prefix.getAddress())) {
      throw new IllegalArgumentException("a network has no bit set behind its first " + bits);
    }
    return network;
  }

  boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    return bytes.length == prefix.getAddress().length
        && Arrays.equals(masked(bytes, bits), prefix.getAddress());
  }

  boolean contains(Network other) {
    return other.bits >= bits && contains(other.prefix);
  }

  boolean isOne() {
    return bits == prefix.getAddress().length * Byte.SIZE;
  }

  private static byte[] masked(byte[] address, int bits) {
    byte[] masked = address.clone();
    for (int i = 0; i < masked.length; i++) {
      int kept = Math.clamp((long) bits - (long) i * Byte.SIZE, 0, Byte.SIZE);
      masked[i] &= (byte) (0xff00 >> kept);
    }
    return masked;
  }
}
