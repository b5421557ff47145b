package dev.ebb.spring;

import dev.ebb.client.EbbHttp;
import dev.ebb.client.EbbWorker;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Makes the worker of a context: by its properties, for its handlers, as its customizers have it.
 *
 * @param application its name
 */
record WorkerMaker(
    HandlerMethods handlers,
    HandlerWatch watch,
    EbbProperties.Worker properties,
    String application,
    ObjectProvider<EbbWorkerCustomizer> customizers) {

  /** One that polls this server; a {@link SetupFailure} if there is none, or a setting is wrong. */
  EbbWorker.Builder make(@Nullable EbbHttp server) {
    if (server == null) {
      throw new SetupFailure(
          "No server is named for the handlers of "
              + handlers.kinds()
              + ": set ebb.url, or ebb.worker.enabled=false where others run these jobs.");
    }
    EbbWorker.Builder worker = asConfigured(server);
    handlers.all().forEach(handler -> handler.register(worker, watch));
    customizers.orderedStream().forEach(customizer -> customizer.customize(worker));
    return worker;
  }

  private EbbWorker.Builder asConfigured(EbbHttp server) {
    List<String> named = properties.queues();
    List<String> queues = named.isEmpty() ? handlers.queues() : named;
    try {
      return server
          .worker(Objects.requireNonNullElse(properties.name(), application))
          .queues(queues.toArray(String[]::new))
          .slots(properties.slots())
          .lease(properties.lease())
          .grace(properties.grace());
    } catch (IllegalArgumentException broken) {
      throw new SetupFailure(
          "ebb.worker, or a handler's queue, is wrong: " + broken.getMessage() + ".", broken);
    }
  }
}
