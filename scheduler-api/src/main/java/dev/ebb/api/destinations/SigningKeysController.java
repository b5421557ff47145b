package dev.ebb.api.destinations;

import static java.util.Objects.requireNonNull;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IdempotencyKeys;
import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.http.JsonObject;
import dev.ebb.api.http.JsonValue;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.queues.QueuesController;
import dev.ebb.api.secrets.Sealing;
import dev.ebb.contract.NewSigningKey;
import dev.ebb.core.InvalidInput;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.Scope;
import dev.ebb.core.job.IdempotencyKey;
import dev.ebb.core.signing.NewKey;
import dev.ebb.core.signing.SecretBox;
import dev.ebb.core.signing.SecretEncoding;
import dev.ebb.core.signing.SignerNames;
import dev.ebb.core.signing.SigningKey;
import dev.ebb.core.signing.SigningScheme;
import dev.ebb.db.queue.AddedKeys;
import dev.ebb.db.queue.Queues;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
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
 * signs at once, or for a share of the deliveries that grows, beside the old ones until these
 * expire.
 */
@Controller
public final class SigningKeysController {
  private static final String KEYS = "/v1/destinations/{destination}/keys";

  private static final String[] FIELDS = {
    "scheme",
    "secret",
    "encoding",
    "serial",
    "headerPrefix",
    "clientId",
    "share",
    "wholeIn",
    "overlap",
    "reason"
  };

  private final Bodies bodies;
  private final Queues queues;
  private final Sealing sealing;
  private final KeyRepeats repeats;
  private final InstantSource clock = InstantSource.system();

  SigningKeysController(Bodies bodies, Queues queues, AddedKeys added, SecretBox box) {
    this.repeats = new KeyRepeats(added, box);
    this.bodies = bodies;
    this.queues = queues;
    this.sealing = new Sealing(box);
  }

  /** Adds a key; once it has all deliveries, the other keys of its scheme end after the overlap. */
  @PostMapping(path = KEYS, produces = "application/json")
  @Needs(Scope.QUEUES_ADMIN)
  Answer add(HttpServletRequest request, @PathVariable String destination) throws SQLException {
    QueuesController.requireName(destination);
    JsonObject body = bodies.optional(request, FIELDS);
    Instant now = now();
    SigningScheme scheme = body.build(() -> scheme(body));
    NewKey key = body.build(() -> key(scheme, body));
    SignerNames names = body.build(() -> names(scheme, body));
    KeyTurn turn = KeyTurn.read(body, now);
    Act act = Caller.of(request).act(request, body);
    SigningKey sealed = sealed(destination, scheme, key, names, now);
    UnaryOperator<List<SigningKey>> change = keys -> requireFew(turn.before(keys, sealed));
    IdempotencyKey repeatable = KeyRepeats.of(request, body, FIELDS);
    if (repeatable == null) {
      var _ = change(destination, act, change);
      return created(destination, new KeyRepeats.Came(sealed, key.shown(), false));
    }
    KeyRepeats.Made made = new KeyRepeats.Made(sealed, key, body.has("secret"));
    return created(destination, repeats.add(destination, repeatable, made, change, act));
  }

  private static Answer created(String destination, KeyRepeats.Came came) {
    SigningKey key = came.key();
    Answer answer =
        Answer.created(
            "/v1/destinations/" + destination,
            new NewSigningKey(
                key.id(),
                key.scheme().word(),
                key.publicKey(),
                Answer.shown(key.createdAt()),
                came.shown()));
    return IdempotencyKeys.told(answer, came.repeated());
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

  private static SignerNames names(SigningScheme scheme, JsonObject body) {
    SignerNames names =
        new SignerNames(
            body.optional("serial", JsonValue::string),
            body.optional("headerPrefix", JsonValue::string),
            body.optional("clientId", JsonValue::string));
    scheme.requireFits(names);
    return names;
  }

  private SigningKey sealed(
      String destination, SigningScheme scheme, NewKey key, SignerNames names, Instant now) {
    String id = "key_" + HexFormat.of().formatHex(Sealing.random(4));
    String sealed = sealing.seal(key.secret(), SigningKey.context(destination, id));
    return new SigningKey(id, scheme, sealed, key.publicKey(), now, null, names, null);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static List<SigningKey> requireFew(List<SigningKey> keys) {
    if (keys.size() > SigningKey.MAX) {
      throw Refusal.of(
          ProblemCode.TOO_MANY_KEYS,
          "The destination has " + SigningKey.MAX + " active keys. Delete one first.");
    }
    return keys;
  }

  /** Changes of which share of the deliveries a key takes part, and when the older ones end. */
  @PostMapping(path = KEYS + "/{key}/share", produces = "application/json")
  @Needs(Scope.QUEUES_ADMIN)
  Answer share(
      HttpServletRequest request, @PathVariable String destination, @PathVariable String key)
      throws SQLException {
    QueuesController.requireName(destination);
    JsonObject body = bodies.object(request);
    body.allow("share", "wholeIn", "overlap", "reason");
    body.required("share");
    Instant now = now();
    KeyTurn turn = KeyTurn.read(body, now);
    Act act = Caller.of(request).act(request, body);
    List<SigningKey> changed =
        change(destination, act, keys -> turn.of(keys, known(keys, key), now));
    return Answer.ok(DestinationResource.of(known(changed, key)));
  }

  private static SigningKey known(List<SigningKey> keys, String id) {
    return keys.stream()
        .filter(key -> key.id().equals(id))
        .findFirst()
        .orElseThrow(() ->
            Refusal.of(
                ProblemCode.KEY_NOT_FOUND, "The destination has no key with the id " + id + "."));
  }

  /** Takes a key away at once: receivers that know no other refuse what comes. */
  @DeleteMapping(KEYS + "/{key}")
  @Needs(Scope.QUEUES_ADMIN)
  Answer delete(
      HttpServletRequest request, @PathVariable String destination, @PathVariable String key)
      throws SQLException {
    QueuesController.requireName(destination);
    Act act = Caller.of(request).act(request, bodies.optional(request, "reason"));
    var _ = change(destination, act, keys -> without(keys, known(keys, key)));
    return Answer.none();
  }

  private static List<SigningKey> without(List<SigningKey> keys, SigningKey key) {
    List<SigningKey> others = keys.stream().filter(one -> !one.equals(key)).toList();
    boolean isLast = others.isEmpty();
    if (!isLast && others.stream().noneMatch(one -> one.expiresAt() == null)) {
      throw Refusal.of(
          ProblemCode.KEYS_EXPIRE, "All other keys of the destination expire. Add a key first.");
    }
    return others;
  }

  /** The keys as they are then. */
  private List<SigningKey> change(
      String destination, Act act, UnaryOperator<List<SigningKey>> change) throws SQLException {
    return queues
        .changeKeys(destination, change, act)
        .map(queue -> requireNonNull(queue.settings().destination()).signing())
        .orElseThrow(() -> DestinationsController.unknown(destination));
  }
}
