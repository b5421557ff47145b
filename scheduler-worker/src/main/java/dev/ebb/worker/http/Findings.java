package dev.ebb.worker.http;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What came to light on the way of one exchange. Its thread notes it, and the one that waits for it
 * may read it at any time.
 */
final class Findings {
  private static final Set<Fault> OF_THE_BODY =
      EnumSet.of(Fault.BODY_TRUNCATED, Fault.BODY_MALFORMED, Fault.BODY_TIMEOUT);

  private final Set<Fault> faults = Collections.synchronizedSet(EnumSet.noneOf(Fault.class));
  private volatile boolean odd;
  private volatile boolean headersDropped;
  private volatile boolean answering;
  private volatile boolean resent;
  private volatile boolean certificateWanted;
  private volatile boolean certificateShown;

  /** The request is about to be written: what was read before is not of its answer. */
  void sending() {
    faults.clear();
    odd = false;
    headersDropped = false;
    answering = false;
  }

  void add(Fault fault) {
    faults.add(fault);
  }

  /** Its end has one reason: a body that is given up breaks, too. */
  void addOfBody(Fault fault) {
    synchronized (faults) {
      if (Collections.disjoint(faults, OF_THE_BODY)) {
        faults.add(fault);
      }
    }
  }

  /** In the order of their declaration. */
  Set<Fault> faults() {
    synchronized (faults) {
      return faults.isEmpty() ? Set.of() : EnumSet.copyOf(faults);
    }
  }

  /** The answer can be read, but another reader might read it otherwise. */
  void odd() {
    odd = true;
  }

  /** Whether all readers of the answer agree on where it ends. */
  boolean isRegular() {
    return !odd && faults.isEmpty();
  }

  /** There were more headers than found room. */
  void dropHeaders() {
    headersDropped = true;
  }

  boolean areHeadersDropped() {
    return headersDropped;
  }

  /** A byte of the answer came. */
  void answering() {
    if (!answering) {
      answering = true;
    }
  }

  boolean isAnswering() {
    return answering;
  }

  /** The request is sent a second time, on a fresh connection. */
  void resend() {
    resent = true;
  }

  boolean isResent() {
    return resent;
  }

  /** The destination asked for a client certificate, and there is none. */
  void certificateWanted() {
    certificateWanted = true;
  }

  boolean isCertificateWanted() {
    return certificateWanted;
  }

  /** The destination asked for a client certificate, and got the one that it has. */
  void certificateShown() {
    certificateShown = true;
  }

  boolean isCertificateShown() {
    return certificateShown;
  }
}
