package dev.ebb.spring;

import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The methods with {@link EbbHandler}, to be called without a worker, as tests do. */
public final class EbbHandlers {
  private final HandlerMethods methods;

  EbbHandlers(HandlerMethods methods) {
    this.methods = methods;
  }

  /**
   * The kinds that have a handler.
   *
   * @return them, sorted
   */
  public Set<String> kinds() {
    Set<String> kinds = new TreeSet<>();
    methods.all().forEach(method -> kinds.add(method.kind().name()));
    return kinds;
  }

  /**
   * What the handler of a kind takes.
   *
   * @param kind as jobs name it
   * @return the class of the arguments; {@code null} if no handler has the kind
   */
  public @Nullable Class<?> args(String kind) {
    HandlerMethod<?> method = methods.of(kind);
    return method == null ? null : method.args();
  }

  /**
   * Calls the handler of a run's kind.
   *
   * @param run has arguments of the handler's class
   * @return what the handler says
   * @throws Exception that it throws
   */
  @SuppressWarnings("unchecked") // The method itself refuses other arguments.
  public Outcome run(Run<?> run) throws Exception {
    HandlerMethod<?> method = methods.of(run.kind());
    if (method == null) {
      throw new IllegalArgumentException("no handler has the kind " + run.kind());
    }
    return ((HandlerMethod<Object>) method).run((Run<Object>) run);
  }
}
