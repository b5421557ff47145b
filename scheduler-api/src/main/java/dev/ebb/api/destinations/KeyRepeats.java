package dev.ebb.api.destinations;

import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.access.Act;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.signing.NewKey;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.db.queue.AddedKeys;
import jakarta.servlet.http.HttpServletRequest;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds signing keys under an {@code Idempotency-Key}: a repeat gets the answer of the first
 * request, with the secret that nobody has seen if that answer was lost.
 */
final class KeyRepeats {
  private static final String PREFIX = "key_";

  private final AddedKeys added;
  private final SecretBox box;

  KeyRepeats(AddedKeys added, SecretBox box) {
    this.added = added;
    this.box = box;
  }

  /**
   * What a request would add.
   *
   * @param given whether the request has the secret
   */
  record Made(SigningKey sealed, NewKey key, boolean given) {}

  /**
   * What it added, or an earlier one did.
   *
   * @param shown the secret as its receiver needs it; {@code null} for nothing to show
   */
  record Came(SigningKey key, @Nullable String shown, boolean repeated) {}

  /**
   * The key of a request; {@code null} if it gave none. No hash of a secret is stored: nobody can
   * try guesses on it.
   */
  static @Nullable IdempotencyKey of(
      HttpServletRequest request, JsonObject body, String... fields) {
    String asked =
        Arrays.stream(fields)
            .filter(field -> !field.equals("secret") && body.has(field))
            .map(field -> field + "=" + body.value(field).text())
            .collect(Collectors.joining("\n"));
    return IdempotencyKeys.of(request, asked + "\n" + body.has("secret"));
  }

  /** Adds a key, unless an earlier request did. */
  Came add(
      String destination,
      IdempotencyKey request,
      Made made,
      UnaryOperator<List<SigningKey>> change,
      Act act)
      throws SQLException {
    return switch (added.add(destination, request, uuid(made.sealed), change, act)) {
      case AddedKeys.Added() -> new Came(made.sealed, made.key.shown(), false);
      case AddedKeys.InFlight() -> throw IdempotencyKeys.inFlight();
      case AddedKeys.Unknown() -> throw DestinationsController.unknown(destination);
      case AddedKeys.Known known -> repeated(destination, known, made, act);
    };
  }

  private Came repeated(String destination, AddedKeys.Known known, Made made, Act act)
      throws SQLException {
    if (!known.repeated()) {
      throw IdempotencyKeys.reused(known.at(), "/v1/destinations/" + destination);
    }
    SigningKey first = first(known);
    byte[] secret =
        box.open(first.sealed(), first.context(destination))
            .orElseThrow(() -> sealed(first.sealed()));
    if (made.given) {
      if (!MessageDigest.isEqual(secret, made.key.secret())) {
        throw IdempotencyKeys.reused(known.at(), "/v1/destinations/" + destination);
      }
      return new Came(first, null, true);
    }
    String shown = first.scheme().shown(secret);
    if (shown != null) {
      added.told(destination, first, act);
    }
    return new Came(first, shown, true);
  }

  private static SigningKey first(AddedKeys.Known known) {
    return known.now().stream()
        .filter(one -> uuid(one).equals(known.id()))
        .findFirst()
        .orElseThrow(() ->
            Refusal.of(
                ProblemCode.KEY_NOT_FOUND,
                "The key that this Idempotency-Key added has been deleted."));
  }

  private Refusal sealed(String secret) {
    String key = SecretBox.keyOf(secret);
    return Refusal.of(
        ProblemCode.NO_SECRETS_KEY,
        box.hasKeyOf(secret)
            ? "The key %s does not open that secret, which is damaged. Add another key."
                .formatted(key)
            : "This node lacks the key %s, which sealed that secret. Repeat the request at a node"
                    .formatted(key)
                + " that has it.");
  }

  private static UUID uuid(SigningKey key) {
    String digits = key.id().startsWith(PREFIX) ? key.id().substring(PREFIX.length()) : "";
    return digits.matches("[0-9a-f]{1,16}")
        ? new UUID(0, HexFormat.fromHexDigitsToLong(digits))
        : new UUID(0, 0);
  }
}
