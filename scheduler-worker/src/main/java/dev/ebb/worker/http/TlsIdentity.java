package dev.ebb.worker.http;

import dev.ebb.core.tls.TlsSettings;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;

/** How the connections of one destination are secured. They are its own: no two are equal. */
final class TlsIdentity {
  private final TlsSettings settings;
  private final TlsSocketStrategy strategy;

  TlsIdentity(TlsSettings settings, TlsSocketStrategy strategy) {
    this.settings = settings;
    this.strategy = strategy;
  }

  /** Whether it was made of these. */
  boolean isOf(TlsSettings other) {
    return settings.equals(other);
  }

  TlsSocketStrategy strategy() {
    return strategy;
  }
}
