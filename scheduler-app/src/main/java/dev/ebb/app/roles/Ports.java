package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Setting;
import dev.ebb.app.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Whether a port can and may be listened on, asked before anything slow is started. */
public final class Ports {
  private Ports() {}

  /** Throws if others could reach an API that asks for no token. */
  public static void requireKept(Settings settings) {
    if (settings.access().open() && !isLoopback(settings.httpHost())) {
      throw CannotStart.wrongUse(
          ("%s=off would let everybody who reaches %s=%s do anything: set %1$s=on, or"
                  + " %2$s=127.0.0.1")
              .formatted(
                  Setting.AUTH.variable(), Setting.HTTP_HOST.variable(), settings.httpHost()));
    }
  }

  public static boolean isLoopback(String host) {
    return address(host).isLoopbackAddress();
  }

  private static InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw CannotStart.wrongUse(
          Setting.HTTP_HOST.variable() + " must be an address of this machine, not " + host);
    }
  }

  /** Throws unless the ports of the API are free. */
  public static void requireFree(Settings settings) {
    requireFree(settings.httpHost(), settings.httpPort(), Setting.HTTP_PORT);
    settings
        .healthPort()
        .ifPresent(port -> requireFree(settings.httpHost(), port, Setting.HEALTH_PORT));
  }

  /** Throws unless the one port of a worker is free. */
  static void requireFreeOfWorker(Settings settings) {
    boolean own = settings.healthPort().isPresent();
    requireFree(
        settings.httpHost(),
        settings.healthPort().orElse(settings.httpPort()),
        own ? Setting.HEALTH_PORT : Setting.HTTP_PORT);
  }

  private static void requireFree(String host, int port, Setting setting) {
    try (ServerSocket probe = new ServerSocket()) {
      // As the server itself does: a connection that lingers after its end is no obstacle.
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(address(host), port));
    } catch (IOException taken) {
      throw CannotStart.unable(
          "Port %s of %s is taken or not this machine's: free it, or set %s (and %s)."
              .formatted(port, host, setting.variable(), Setting.HTTP_HOST.variable()));
    }
  }
}
