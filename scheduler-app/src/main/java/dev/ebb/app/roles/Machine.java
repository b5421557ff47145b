package dev.ebb.app.roles;

import dev.ebb.core.access.Act;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** This machine, as the audit names what acts on it. */
public final class Machine {
  private static final int LONGEST_HOST = 60;

  private Machine() {}

  /** The user of the operating system, where it knows a name. */
  public static Act user() {
    String user = System.getProperty("user.name", "?");
    return Act.onMachine(user.isBlank() || user.equals("?") ? "machine" : user);
  }

  /** What acts here by itself. */
  static Act as(String what) {
    return Act.onMachine(what + " on " + host());
  }

  private static String host() {
    try {
      String host = InetAddress.getLocalHost().getHostName();
      return host.substring(0, Math.min(host.length(), LONGEST_HOST));
    } catch (UnknownHostException nameless) {
      return "a machine";
    }
  }
}
