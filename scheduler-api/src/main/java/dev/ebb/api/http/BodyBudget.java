package dev.ebb.api.http;

import dev.ebb.api.problem.Refusal;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.net.InetAddress;

/**
 * The memory for request bodies, bounded for all requests together. A request takes of it as its
 * body arrives, whatever length it announced, and gives all back when it has ended, whatever ended
 * it.
 */
public final class BodyBudget implements Filter {
  /** The attribute of a request that holds what it has taken. */
  public static final String TAKEN = BodyBudget.class.getName();

  private final Shares shares;

  /**
   * @param mostBytes of all bodies under way
   */
  public BodyBudget(long mostBytes, MeterRegistry meters) {
    this.shares = new Shares(mostBytes);
    Gauge.builder("ebb.http.body.bytes", shares, Shares::taken)
        .description("Memory used by request bodies in progress.")
        .baseUnit("bytes")
        .register(meters);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    TakenBytes taken = new TakenBytes(shares, InetAddress.ofLiteral(request.getRemoteAddr()));
    request.setAttribute(TAKEN, taken);
    try {
      chain.doFilter(request, response);
    } finally {
      taken.giveBack();
    }
  }

  /**
   * Takes this many bytes for the request, until it ends.
   *
   * @throws Refusal if others hold too much, or its sender does
   */
  static void take(ServletRequest request, int bytes) {
    ((TakenBytes) request.getAttribute(TAKEN)).take(bytes);
  }

  /** What one request has taken. */
  private static final class TakenBytes {
    private final Shares shares;
    private final InetAddress sender;
    private long bytes;

    TakenBytes(Shares shares, InetAddress sender) {
      this.shares = shares;
      this.sender = sender;
    }

    void take(int more) {
      if (!shares.take(sender, more)) {
        throw Refusal.busy("The memory for request bodies is full. Repeat the request.");
      }
      bytes += more;
    }

    void giveBack() {
      shares.giveBack(sender, bytes);
    }
  }
}
