package dev.ebb.spring;

import dev.ebb.client.Outcome;
import dev.ebb.client.Run;

/** The methods with {@link EbbHandler}, to be called without a worker, as tests do. */
public final class EbbHandlers {
  private final HandlerMethods methods;

  EbbHandlers(HandlerMethods methods) {
    this.methods = methods;
  }

  /**
   * What the handler of a kind takes.
   *
   * @param kind as jobs name it
   * @return the class of the arguments
   * @throws IllegalStateException if no handler has the kind
   */
  public Class<?> args(String kind) {
    return method(kind).args();
  }

  /**
   * Calls the handler of a run's kind.
   *
   * @param run has arguments of the handler's class
   * @return what the handler says
   * @throws IllegalStateException if no handler has the kind
   * @throws Exception that the handler throws
   */
  @SuppressWarnings("unchecked") // The method itself refuses other arguments.
  public Outcome run(Run<?> run) throws Exception {
    return ((HandlerMethod<Object>) method(run.kind())).run((Run<Object>) run);
  }

  private HandlerMethod<?> method(String kind) {
    HandlerMethod<?> method = methods.of(kind);
    if (method == null) {
      throw new IllegalStateException(
          "no handler has the kind " + kind + ", but [" + methods.kinds() + "]");
    }
    return method;
  }
}
