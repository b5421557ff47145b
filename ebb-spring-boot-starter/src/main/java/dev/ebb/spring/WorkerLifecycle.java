package dev.ebb.spring;

import dev.ebb.client.EbbWorker;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the worker once the application is there, and ends it while all is still there: it drains
 * beside the web server, so that a handler that runs has its beans and its data source until it has
 * ended.
 */
final class WorkerLifecycle implements SmartLifecycle, DisposableBean {
  /** That of the web server's graceful shutdown. */
  static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1024;

  private final HandlerMethods handlers;
  private final Supplier<EbbWorker.Builder> builders;
  private volatile @Nullable EbbWorker worker;
  private volatile boolean stops;

  /**
   * @param builders gives what the worker starts from, once all beans are there
   */
  WorkerLifecycle(HandlerMethods handlers, Supplier<EbbWorker.Builder> builders) {
    this.handlers = handlers;
    this.builders = builders;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  @Override
  public boolean isAutoStartup() {
    return !handlers.all().isEmpty();
  }

  @Override
  public boolean isRunning() {
    return worker != null;
  }

  @Override
  public synchronized void start() {
    // A context that is started again starts all.
    if (worker == null && isAutoStartup()) {
      stops = false;
      worker = builders.get().start();
    }
  }

  /** Returns at once, so that others end beside it. */
  @Override
  public void stop(Runnable ended) {
    new Thread(
            () -> {
              try {
                stop();
              } finally {
                ended.run();
              }
            },
            "ebb-worker ends")
        .start();
  }

  @Override
  public synchronized void stop() {
    EbbWorker running = worker;
    if (running != null) {
      stops = true;
      running.close();
      worker = null;
    }
  }

  /** Where the start failed elsewhere, nobody has stopped it. */
  @Override
  public void destroy() {
    stop();
  }

  WorkerHealth health() {
    EbbWorker running = worker;
    if (stops) {
      return WorkerHealth.outOfService("ends");
    }
    if (running == null) {
      return WorkerHealth.up("has no handlers");
    }
    return running
        .failure()
        .map(failure -> WorkerHealth.down(running.name(), failure))
        .orElseGet(() ->
            running.isDraining()
                ? WorkerHealth.outOfService("drains")
                : WorkerHealth.up(running.name()));
  }
}
