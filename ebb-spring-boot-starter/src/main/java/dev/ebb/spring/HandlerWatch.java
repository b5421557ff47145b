package dev.ebb.spring;

import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import java.util.concurrent.Callable;

/** What stands around each run of a handler. */
interface HandlerWatch {
  /** Where nobody looks. */
  HandlerWatch NONE = (run, handler) -> handler.call();

  Outcome around(Run<?> run, Callable<Outcome> handler) throws Exception;
}
