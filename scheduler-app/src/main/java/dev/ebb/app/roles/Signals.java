package dev.ebb.app.roles;

import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a process does on SIGTERM and Ctrl-C.
 *
 * <p>The JVM begins its shutdown at the first signal and ignores those that follow. The class that
 * hears of them all, {@code sun.misc.Signal}, is found by its name: the compiler warns of it.
 */
final class Signals {
  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /** Does this at each SIGTERM and each Ctrl-C, on a thread of its own. */
  static void onStop(Runnable action) {
    for (String name : List.of("TERM", "INT")) {
      try {
        handle(name, action);
      } catch (ReflectiveOperationException | RuntimeException notHere) {
        // As with java -Xrs: then the JVM's own handling stays.
        LOG.debug("no handler for SIG{}", name, notHere);
      }
    }
  }

  private static void handle(String name, Runnable action) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object told =
        Proxy.newProxyInstance(
            Signals.class.getClassLoader(),
            new Class<?>[] {handler},
            (proxy, method, arguments) -> {
              if (method.getName().equals("handle")) {
                action.run();
                return null;
              }
              return method.invoke(action, arguments);
            });
    Object number = signal.getConstructor(String.class).newInstance(name);
    signal.getMethod("handle", signal, handler).invoke(null, number, told);
  }
}
