package dev.ebb.api.destinations;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.contract.NewSigningKey;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.signing.NewKey;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SecretEncoding;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/**
 * Adds the keys with which deliveries to a destination are signed, and takes them away. A new key
 * signs at once, beside the old ones until these expire: a receiver that has either verifies.
 */
@Controller
public final class SigningKeysController {
  private static final Duration OVERLAP = Duration.ofHours(24);
  private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);
  private static final String KEYS = "/v1/destinations/{destination}/keys";

  private final Bodies bodies;
  private final Queues queues;
  private final Sealing sealing;
  private final InstantSource clock = InstantSource.system();

  SigningKeysController(Bodies bodies, Queues queues, SecretBox box) {
    this.bodies = bodies;
    this.queues = queues;
    this.sealing = new Sealing(box);
  }

  /** Adds a key; the other keys of its scheme expire after the overlap. */
  @PostMapping(path = KEYS, produces = "application/json")
  @Needs(Scope.QUEUES_ADMIN)
  Answer add(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    QueuesController.requireName(destination);
    JsonObject body = bodies.optional(request, "scheme", "secret", "encoding", "overlap", "reason");
    SigningScheme scheme = body.build(() -> scheme(body));
    NewKey key = body.build(() -> key(scheme, body));
    Duration overlap =
        Objects.requireNonNullElse(body.optional("overlap", JsonValue::duration), OVERLAP);
    body.build(() -> {
      InvalidInput.requireBetween(overlap, Duration.ZERO, LONGEST_OVERLAP, "overlap");
      return overlap;
    });
    Act act = Caller.of(request).act(request, body);
    SigningKey sealed = sealed(destination, scheme, key);
    change(destination, act, keys -> added(keys, sealed, overlap));
    return Answer.created(
        "/v1/destinations/" + destination,
        new NewSigningKey(
            sealed.id(),
            sealed.scheme().word(),
            sealed.publicKey(),
            Answer.shown(sealed.createdAt()),
            key.shown()));
  }

  private static SigningScheme scheme(JsonObject body) {
    String word = Objects.requireNonNullElse(body.optional("scheme", JsonValue::string), "v1");
    return SigningScheme.named(word)
        .orElseThrow(() ->
            new InvalidInput(
                "scheme", "must be one of " + String.join(", ", SigningScheme.words())));
  }

  private static NewKey key(SigningScheme scheme, JsonObject body) {
    String secret = body.optional("secret", JsonValue::string);
    if (secret == null) {
      InvalidInput.require(!body.has("encoding"), "encoding", "must be absent without a secret");
      return scheme.random(Sealing.RANDOM);
    }
    return scheme.given(secret, encoding(body.optional("encoding", JsonValue::string)));
  }

  private static @Nullable SecretEncoding encoding(@Nullable String word) {
    return word == null
        ? null
        : SecretEncoding.named(word)
            .orElseThrow(() -> new InvalidInput("encoding", "must be base64, hex or utf8"));
  }

  private SigningKey sealed(String destination, SigningScheme scheme, NewKey key) {
    String id = "key_" + HexFormat.of().formatHex(Sealing.random(4));
    String sealed = sealing.seal(key.secret(), SigningKey.context(destination, id));
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new SigningKey(id, scheme, sealed, key.publicKey(), now, null);
  }

  /** What has expired goes. */
  private List<SigningKey> added(List<SigningKey> keys, SigningKey added, Duration overlap) {
    Instant now = added.createdAt();
    List<SigningKey> all = new ArrayList<>(List.of(added));
    for (SigningKey key : keys) {
      if (key.isActive(now)) {
        boolean isReplaced = key.scheme() == added.scheme();
        SigningKey kept = isReplaced ? key.until(now.plus(overlap)) : key;
        if (kept.isActive(now)) {
          all.add(kept);
        }
      }
    }
    if (all.size() > SigningKey.MAX) {
      throw Refusal.of(
          ProblemCode.TOO_MANY_KEYS,
          "The destination has " + SigningKey.MAX + " active keys. Delete one first.");
    }
    return all;
  }

  /** Takes a key away at once: receivers that know no other refuse what comes. */
  @DeleteMapping(KEYS + "/{key}")
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(
      HttpServletRequest request, @PathVariable String destination, @PathVariable String key)
      throws SQLException {
    QueuesController.requireName(destination);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    change(destination, act, keys -> without(keys, key));
    return Answer.none();
  }

  private static List<SigningKey> without(List<SigningKey> keys, String id) {
    List<SigningKey> others = keys.stream().filter(key -> !key.id().equals(id)).toList();
    if (others.size() == keys.size()) {
      throw Refusal.of(
          ProblemCode.KEY_NOT_FOUND, "The destination has no key with the id " + id + ".");
    }
    boolean isLast = others.isEmpty();
    if (!isLast && others.stream().noneMatch(key -> key.expiresAt() == null)) {
      throw Refusal.of(
          ProblemCode.KEYS_EXPIRE, "All other keys of the destination expire. Add a key first.");
    }
    return others;
  }

  private void change(String destination, Act act, UnaryOperator<List<SigningKey>> change)
      throws SQLException {
    if (queues.changeKeys(destination, change, act).isEmpty()) {
      throw DestinationsController.unknown(destination);
    }
  }
}
