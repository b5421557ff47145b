package dev.ebb.api.server;

/**
 * Whether this process is about to stop. It serves on for a while, but says that it is not ready,
 * and that each connection ends with its answer: so a balancer and its clients go elsewhere before
 * the port closes.
 */
public final class Drain {
  private volatile boolean begun;

  /** It begins; there is no way back. */
  public void begin() {
    begun = true;
  }

  public boolean hasBegun() {
    return begun;
  }
}
