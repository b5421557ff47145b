package dev.ebb.worker.http;

import java.net.InetAddress;
import java.util.Locale;

/**
 * Says why a destination is refused, and what the operator would have to allow. It is told from the
 * job's own URL alone: neither what a name was resolved to, nor whether it was, may be learned.
 */
final class Refusal {
  private Refusal() {}

  /** The sentence for a host as it stands in a URL, without the brackets of IPv6. */
  static String of(String host, int port) {
    try {
      return ofAddress(InetAddress.ofLiteral(host), port);
    } catch (IllegalArgumentException _) {
      return ofName(host.toLowerCase(Locale.ROOT), port);
    }
  }

  private static String ofAddress(InetAddress address, int port) {
    String text = address.getHostAddress();
    if (SpecialNetworks.isMetadata(address)) {
      return text + " is link-local or a metadata service, which no setting allows";
    }
    String entry = (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + port;
    return SpecialNetworks.isPublic(address)
        ? badPort(port) + allow(entry)
        : text + " is not a public address" + allow(entry);
  }

  private static String ofName(String name, int port) {
    String reason =
        OtherPorts.have(port) ? badPort(port) : name + " is not known to be a public address";
    return reason + allow(AllowList.isName(name) ? name + ":" + port : "its address");
  }

  private static String badPort(int port) {
    return "port " + port + " belongs to another service";
  }

  private static String allow(String entry) {
    return "; to allow it, add " + entry + " to " + AllowList.SETTING;
  }
}
