package dev.ebb.contract;

import java.util.List;

/**
 * A job's history, signed: an envelope of DSSE.
 *
 * @param payload a {@link JobExport} as JSON, in base64
 * @param payloadType is signed with it
 * @param signatures over the exact bytes of both; one is there
 */
public record SignedExport(String payload, String payloadType, List<Signature> signatures) {
  /** The type of payloads that are job exports. */
  public static final String TYPE = "application/vnd.ebb.job-export+json";

  /** Keeps a copy of its list. */
  public SignedExport {
    signatures = List.copyOf(signatures);
  }

  /**
   * A signature.
   *
   * @param keyid the id of the key
   * @param sig of Ed25519, in base64
   */
  public record Signature(String keyid, String sig) {}
}
