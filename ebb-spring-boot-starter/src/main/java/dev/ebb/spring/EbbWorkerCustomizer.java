package dev.ebb.spring;

import dev.ebb.client.EbbWorker;

/**
 * Has the last word on the worker that runs the handlers, before it starts. Each bean of this type
 * is called, in Spring's order, after the properties and the handlers were applied.
 */
@FunctionalInterface
public interface EbbWorkerCustomizer {
  /**
   * Changes what the worker is made of.
   *
   * @param worker has the queues and kinds of the handlers, and what {@code ebb.worker} says
   */
  void customize(EbbWorker.Builder worker);
}
