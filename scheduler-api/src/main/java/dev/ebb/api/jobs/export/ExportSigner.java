package dev.ebb.api.jobs.export;

import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.secrets.Sealing;
import dev.ebb.contract.SignedExport;
import dev.ebb.core.access.Act;
import dev.ebb.core.signing.Dsse;
import dev.ebb.core.signing.ExportKey;
import dev.ebb.core.signing.NewKey;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.db.export.ExportKeys;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Signs what the cluster exports, with a key that all nodes share and the first export makes. */
public final class ExportSigner {
  private final ExportKeys keys;
  private final SecretBox box;
  private final Sealing sealing;

  ExportSigner(ExportKeys keys, SecretBox box) {
    this.keys = keys;
    this.box = box;
    this.sealing = new Sealing(box);
  }

  /** The key that signs; a new one where there was none, which a read-only node may not make. */
  ExportKey key(Act act, boolean readOnly) throws SQLException {
    Optional<ExportKey> known = keys.signing();
    if (known.isPresent()) {
      return known.get();
    }
    if (readOnly) {
      throw Refusal.readOnly();
    }
    return keys.first(made(), act);
  }

  /** Has a new key sign from now on. */
  ExportKey rotate(Act act) throws SQLException {
    return keys.rotate(made(), act)
        .orElseThrow(() ->
            Refusal.of(
                ProblemCode.TOO_MANY_KEYS,
                "The cluster keeps " + ExportKeys.MOST + " export keys, which is the most."));
  }

  /** Sealed before anything is stored: a node that cannot is refused here. */
  private ExportKey made() {
    NewKey made = Dsse.random(Sealing.RANDOM);
    String pem = Objects.requireNonNull(made.publicKey());
    String id = Dsse.id(Dsse.publicKey(pem));
    String sealed = sealing.seal(made.secret(), ExportKey.context(id));
    // The database's clock says when it was made.
    return new ExportKey(id, pem, sealed, Instant.EPOCH, null);
  }

  /** The envelope of these bytes. */
  SignedExport sign(ExportKey key, byte[] payload) {
    byte[] secret =
        Optional.ofNullable(key.sealed())
            .flatMap(sealed -> box.open(sealed, ExportKey.context(key.id())))
            .orElseThrow(ExportSigner::sealed);
    byte[] signature = Dsse.sign(secret, SignedExport.TYPE, payload);
    Base64.Encoder base64 = Base64.getEncoder();
    return new SignedExport(
        base64.encodeToString(payload),
        SignedExport.TYPE,
        List.of(new SignedExport.Signature(key.id(), base64.encodeToString(signature))));
  }

  private static Refusal sealed() {
    return Refusal.of(
        ProblemCode.NO_SECRETS_KEY,
        "The key that signs exports was encrypted with a key that this node has not: give"
            + " EBB_SECRETS_KEY that key too, or have a new one made by POST /v1/export-keys.");
  }
}
