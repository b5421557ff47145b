package dev.ebb.api.policies;

import dev.ebb.api.http.OneAtATime;
import java.util.concurrent.Callable;

/** Computes previews in their turn, because one may take a million draws. */
public final class Previews {
  private final OneAtATime previews = new OneAtATime("previews", 4);

  /** Runs what computes a preview; refuses it where too many wait. */
  public <T> T inTurn(Callable<T> preview) throws Exception {
    return previews.run(preview);
  }
}
