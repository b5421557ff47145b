package dev.ebb.worker.http;

import java.io.Serial;
import java.net.UnknownHostException;

/** The host stands for an address that may not be reached, or might; says nothing of it. */
final class AddressRefused extends UnknownHostException {
  @Serial private static final long serialVersionUID = 1L;

  /** With the {@link Refusal} as its message. */
  AddressRefused(String host, int port) {
    super(Refusal.of(host, port));
  }
}
