package dev.ebb.core.job;

import static dev.ebb.core.InvalidInput.require;

import dev.ebb.core.InvalidInput;
import dev.ebb.core.Priority;
import dev.ebb.core.Text;
import dev.ebb.core.retry.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job to submit. Every instance keeps the rules named here; building one that does not ends in
 * {@link InvalidInput}.
 *
 * @param kind selects the handler: a letter, then letters, digits and {@code _ . : -}, at most 63
 * @param queue where it waits: a lower-case letter or digit, then those and {@code _ . -}, at most
 *     63; created on first use
 * @param payload JSON text of at most {@value #MAX_PAYLOAD_BYTES} bytes of UTF-8, kept to the byte
 * @param runAt the earliest instant at which it may run, in the years 2000 to 9999; excludes delay
 * @param delay how long after the submit it may run at the earliest, at most ten years; excludes
 *     runAt
 * @param priority {@value Priority#MIN} (runs first) to {@value Priority#MAX}
 * @param maxAttempts overrides the policy's, 1 to {@value RetryPolicy#MAX_ATTEMPTS}
 * @param policy how it backs off; {@code null} for its queue's policy
 * @param uniqueKey while a job of this kind with the same key has not ended, a second is not
 *     stored; at most {@value #MAX_UNIQUE_KEY} characters
 * @param orderingKey jobs of one queue with the same key run one at a time, in the order in which
 *     they were submitted; at most {@value #MAX_ORDERING_KEY} characters
 * @param timeout how long one attempt may take in whole milliseconds, 1 ms to one day; {@code null}
 *     for the handler's default
 * @param labels at most {@value #MAX_LABELS} of the sender's own words by which people find it
 * @param then what follows when it ends; {@code null} for nothing
 * @param traceparent the {@linkplain Traceparent trace} that it is submitted in; {@code null} for
 *     none
 */
public record NewJob(
    String kind,
    String queue,
    String payload,
    @Nullable Instant runAt,
    @Nullable Duration delay,
    int priority,
    @Nullable Integer maxAttempts,
    @Nullable RetryPolicy policy,
    @Nullable String uniqueKey,
    @Nullable String orderingKey,
    @Nullable Duration timeout,
    Map<String, String> labels,
    @Nullable FollowUps then,
    @Nullable String traceparent) {
  public static final String DEFAULT_QUEUE = "default";
  public static final int MAX_PAYLOAD_BYTES = 64 * 1024;
  public static final int MAX_UNIQUE_KEY = 200;
  public static final int MAX_ORDERING_KEY = 200;
  public static final int MAX_LABELS = 16;

  /** No attempt of any job takes longer. */
  public static final Duration MAX_TIMEOUT = Duration.ofDays(1);

  private static final String LOWER_CASE = "abcdefghijklmnopqrstuvwxyz";
  private static final String DIGITS = "0123456789";
  private static final String LETTERS = LOWER_CASE + LOWER_CASE.toUpperCase(Locale.ROOT);
  private static final NameRule KIND = new NameRule(LETTERS, DIGITS + "_.:-");
  private static final NameRule QUEUE = new NameRule(LOWER_CASE + DIGITS, "_.-");
  private static final NameRule LABEL = new NameRule(LETTERS, DIGITS + "_.-");
  private static final Instant FIRST_RUN_AT = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LAST_RUN_AT = Instant.parse("9999-12-31T23:59:59Z");
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

  public NewJob {
    requireKind(kind);
    requireQueue(queue);
    require(!payload.isEmpty(), "payload", "must be JSON text");
    require(Text.isStorable(payload), "payload", "must not contain NUL or lone surrogates");
    require(
        isShort(payload) || payload.getBytes(StandardCharsets.UTF_8).length <= MAX_PAYLOAD_BYTES,
        "payload",
        "must be at most " + MAX_PAYLOAD_BYTES + " bytes of UTF-8");
    require(runAt == null || delay == null, "delay", "must not be given together with runAt");
    require(
        runAt == null || !(runAt.isBefore(FIRST_RUN_AT) || runAt.isAfter(LAST_RUN_AT)),
        "runAt",
        "must lie in the years 2000 to 9999");
    if (delay != null) {
      InvalidInput.requireDuration(delay, "delay");
    }
    Priority.require(priority);
    if (maxAttempts != null) {
      RetryPolicy.requireMaxAttempts(maxAttempts);
    }
    requireKey(uniqueKey, MAX_UNIQUE_KEY, "uniqueKey");
    requireKey(orderingKey, MAX_ORDERING_KEY, "orderingKey");
    if (timeout != null) {
      InvalidInput.requireBetween(timeout, MIN_TIMEOUT, MAX_TIMEOUT, "timeout");
      timeout = timeout.truncatedTo(ChronoUnit.MILLIS);
    }
    labels = labels.isEmpty() ? Map.of() : checkedLabels(labels);
    Traceparent.check(traceparent);
  }

  private static void requireKey(@Nullable String key, int longest, String field) {
    require(
        key == null || (!key.isEmpty() && key.length() <= longest && Text.isStorable(key)),
        field,
        "must be 1 to " + longest + " characters without NUL or lone surrogates");
  }

  /** A job with every default: the queue {@value #DEFAULT_QUEUE}, due at once. */
  public static NewJob of(String kind, String payload) {
    return builder(kind, payload).build();
  }

  /** It and the jobs that are planned to follow it, by their pointers from it. */
  public Map<String, NewJob> withFollowUps() {
    if (then == null) {
      return Map.of("", this);
    }
    SequencedMap<String, NewJob> all = then.planned();
    all.putFirst("", this);
    return all;
  }

  /** A builder that starts with everything this job says. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Whether the name can be a kind. */
  public static boolean isKind(String kind) {
    return KIND.fits(kind);
  }

  /** Throws unless the name can be a kind. */
  public static void requireKind(String kind) {
    require(
        isKind(kind),
        "kind",
        "must be a letter followed by at most 62 letters, digits, '_', '.', ':' or '-'");
  }

  /** Throws unless the name can be a queue. */
  public static void requireQueue(String queue) {
    requireQueue(queue, "queue");
  }

  /** The same of a queue that the field names. */
  public static void requireQueue(String queue, String field) {
    require(
        QUEUE.fits(queue),
        field,
        "must be a lower-case letter or digit followed by at most 62 of those, '_', '.' or '-'");
  }

  /** Throws unless the name can be a label's. */
  public static void requireLabel(String name, String field) {
    require(
        isLabel(name),
        field,
        "must have names of a letter followed by at most 62 letters, digits, '_', '.' or '-'");
  }

  /** Whether the name can be a label's. */
  public static boolean isLabel(String name) {
    return LABEL.fits(name);
  }

  /** The labels by name; throws unless they can be those of a job. */
  public static Map<String, String> checkedLabels(Map<String, String> labels) {
    require(labels.size() <= MAX_LABELS, "labels", "must be at most " + MAX_LABELS + " labels");
    labels.forEach((name, value) -> {
      requireLabel(name, "labels");
      require(
          value.length() <= 200 && Text.isStorable(value),
          "labels." + name,
          "must be at most 200 characters without NUL or lone surrogates");
    });
    return Collections.unmodifiableMap(new TreeMap<>(labels));
  }

  /** Whether no character can make it too long, which spares counting bytes: three at most each. */
  private static boolean isShort(String payload) {
    return payload.length() <= MAX_PAYLOAD_BYTES / 3;
  }

  /** A builder that starts with every default. */
  public static Builder builder(String kind, String payload) {
    return new Builder(kind, payload);
  }

  /** Collects the fields of a job; each method is named as its field. */
  public static final class Builder {
    private final String kind;
    private String payload;
    private String queue = DEFAULT_QUEUE;
    private @Nullable Instant runAt;
    private @Nullable Duration delay;
    private int priority = Priority.DEFAULT;
    private @Nullable Integer maxAttempts;
    private @Nullable RetryPolicy policy;
    private @Nullable String uniqueKey;
    private @Nullable String orderingKey;
    private @Nullable Duration timeout;
    private Map<String, String> labels = Map.of();
    private @Nullable FollowUps then;
    private @Nullable String traceparent;

    private Builder(String kind, String payload) {
      this.kind = kind;
      this.payload = payload;
    }

    private Builder(NewJob job) {
      this(job.kind, job.payload);
      queue = job.queue;
      runAt = job.runAt;
      delay = job.delay;
      priority = job.priority;
      maxAttempts = job.maxAttempts;
      policy = job.policy;
      uniqueKey = job.uniqueKey;
      orderingKey = job.orderingKey;
      timeout = job.timeout;
      labels = job.labels;
      then = job.then;
      traceparent = job.traceparent;
    }

    public Builder payload(String payload) {
      this.payload = payload;
      return this;
    }

    public Builder queue(String queue) {
      this.queue = queue;
      return this;
    }

    public Builder runAt(@Nullable Instant runAt) {
      this.runAt = runAt;
      return this;
    }

    public Builder delay(@Nullable Duration delay) {
      this.delay = delay;
      return this;
    }

    public Builder priority(int priority) {
      this.priority = priority;
      return this;
    }

    public Builder maxAttempts(@Nullable Integer maxAttempts) {
      this.maxAttempts = maxAttempts;
      return this;
    }

    public Builder policy(@Nullable RetryPolicy policy) {
      this.policy = policy;
      return this;
    }

    public Builder uniqueKey(@Nullable String uniqueKey) {
      this.uniqueKey = uniqueKey;
      return this;
    }

    public Builder orderingKey(@Nullable String orderingKey) {
      this.orderingKey = orderingKey;
      return this;
    }

    public Builder timeout(@Nullable Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    public Builder labels(Map<String, String> labels) {
      this.labels = labels;
      return this;
    }

    public Builder then(@Nullable FollowUps then) {
      this.then = then;
      return this;
    }

    public Builder traceparent(@Nullable String traceparent) {
      this.traceparent = traceparent;
      return this;
    }

    /** The job; throws {@link InvalidInput} where a field breaks its rule. */
    public NewJob build() {
      return new NewJob(
          kind,
          queue,
          payload,
          runAt,
          delay,
          priority,
          maxAttempts,
          policy,
          uniqueKey,
          orderingKey,
          timeout,
          labels,
          then,
          traceparent);
    }
  }
}
