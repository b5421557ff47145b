package dev.ebb.core.http;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hosts for which a server without tokens may be asked, so that no web page reaches it under a
 * name of the page's own.
 *
 * <p>A page can make its name resolve to an address where the server listens (DNS rebinding). The
 * browser then takes both for one site and lets the page read and write; but it still sends that
 * name as the {@code Host}. An address cannot be made to resolve elsewhere, so every address is
 * served; of names, only {@code localhost} and those that the operator gave. A request without a
 * host comes from no browser, and is served.
 */
public final class ServedHosts {
  /** The rule, to be read after the header's name. */
  public static final String RULE =
      "must be an IP address, localhost or one of the names in EBB_HTTP_NAMES, with any port";

  private static final int LONGEST = 253;
  private static final Pattern NAME =
      Pattern.compile("\\w(?:[\\w-]*\\w)?(?:\\.\\w(?:[\\w-]*\\w)?)*");
  private static final Pattern HOST =
      Pattern.compile(
          "(?:(?<address>\\[[0-9A-Fa-f:.]+]|\\d+(?:\\.\\d+){3})|(?<name>.*?))(?::\\d*)?");

  private final Set<String> names = new HashSet<>();

  private ServedHosts() {}

  /**
   * The hosts of a server.
   *
   * @param listening the name or address that it listens on; a name is served too
   * @param names that are served beside it, without a port
   * @throws InvalidInput if one of the names is none
   */
  public static ServedHosts of(String listening, Collection<String> names) {
    ServedHosts hosts = new ServedHosts();
    for (String name : names) {
      require(
          isName(name), "names", "must be host names without a port, and \"" + name + "\" is none");
      hosts.add(name);
    }
    hosts.add("localhost");
    hosts.add(listening);
    return hosts;
  }

  private static boolean isName(String name) {
    return name.length() <= LONGEST && NAME.matcher(name).matches();
  }

  private void add(String name) {
    names.add(name.toLowerCase(Locale.ROOT));
  }

  /** Whether a request with this {@code Host}, {@code null} for none, may be served. */
  public boolean serves(@Nullable String host) {
    if (host == null || host.isEmpty()) {
      return true;
    }
    Matcher parts = HOST.matcher(host);
    if (!parts.matches()) {
      return false;
    }
    String name = parts.group("name");
    return name == null || names.contains(name.toLowerCase(Locale.ROOT));
  }
}
