package dev.ebb.app.roles;

import dev.ebb.app.settings.CannotStart;
import dev.ebb.app.settings.Setting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Whether a port can be listened on, asked before anything slow is started. */
public final class Ports {
  private Ports() {}

  /** Throws unless the API's or the worker's port is free. */
  public static void requireFree(String host, int port) {
    try (ServerSocket probe = new ServerSocket()) {
      // As the server itself does: a connection that lingers after its end is no obstacle.
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (UnknownHostException unknown) {
      throw CannotStart.wrongUse(
          Setting.HTTP_HOST.variable() + " must be an address of this machine, not " + host);
    } catch (IOException taken) {
      throw CannotStart.unable(
          "Port %d of %s is taken or not this machine's: free it, or set %s (and %s)."
              .formatted(port, host, Setting.HTTP_PORT.variable(), Setting.HTTP_HOST.variable()));
    }
  }
}
