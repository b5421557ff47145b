package dev.ebb.api.server;

import java.time.Duration;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;

/**
 * Tomcat's HTTP/1.1 with three bounds that it lacks: a time for the head of a request as a whole,
 * one for its body, and a share of the connections for each sender. Tomcat makes it by its name.
 */
public final class GuardedProtocol extends Http11NioProtocol {
  private final GuardedEndpoint endpoint;

  public GuardedProtocol() {
    this(new GuardedEndpoint());
  }

  private GuardedProtocol(GuardedEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  @Override
  protected Processor createProcessor() {
    return new GuardedProcessor(this, getAdapter(), endpoint.bodies());
  }

  /**
   * How long a head may take from its first byte to its last; four times as long, a request with
   * its body.
   */
  void setHeadTime(Duration headTime) {
    endpoint.setHeadTime(headTime);
  }
}
