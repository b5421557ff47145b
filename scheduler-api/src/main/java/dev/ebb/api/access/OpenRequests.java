package dev.ebb.api.access;

import dev.ebb.api.http.Shares;
import dev.ebb.api.problem.Refusal;
import java.net.InetAddress;

/**
 * Bounds how often each sender may ask this process for what is open to all and takes a statement:
 * {@value #PER_MINUTE} times a minute, whatever the quota of tokens.
 */
public final class OpenRequests {
  static final int PER_MINUTE = 600;

  private final RequestRate rate = new RequestRate(PER_MINUTE, System::nanoTime);

  /** Takes one request of the sender's quota; a {@link Refusal} if it is used up. */
  public void charge(InetAddress sender) {
    RequestRate.Quota quota = rate.take(Shares.sender(sender));
    if (!quota.allowed()) {
      throw Refusal.tooManyRequests(quota.seconds());
    }
  }
}
