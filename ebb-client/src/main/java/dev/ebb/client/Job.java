package dev.ebb.client;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job to submit. It does not change: each method answers another one, or throws {@link
 * InvalidJob} if its value breaks the field's rule.
 *
 * @param <T> the arguments of its kind
 */
public final class Job<T> {
  /** Over REST it is a header of the request. */
  static final String TRACEPARENT = "traceparent";

  private final String kind;
  private final T args;
  private final boolean isJson;

  /** What differs from the defaults, as the fields of a submit over REST have it. */
  private final Map<String, Object> fields;

  Job(String kind, T args, boolean isJson) {
    this(kind, args, isJson, Map.of());
  }

  private Job(String kind, T args, boolean isJson, Map<String, Object> fields) {
    this.kind = kind;
    this.args = Objects.requireNonNull(args);
    this.isJson = isJson;
    this.fields = fields;
  }

  private Job<T> with(String field, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new Job<>(kind, args, isJson, Collections.unmodifiableMap(more));
  }

  /**
   * Where it waits; created on first use.
   *
   * @param queue the name of the queue
   * @return the job with it
   */
  public Job<T> queue(String queue) {
    Rules.queue(queue);
    return with("queue", queue);
  }

  /**
   * While a job of this kind with the same key has not ended, a second one is not stored.
   *
   * @param key what must be there once
   * @return the job with it
   */
  public Job<T> uniqueKey(String key) {
    Rules.key(key, "uniqueKey");
    return with("uniqueKey", key);
  }

  /**
   * The earliest instant at which it may run; excludes a delay.
   *
   * @param runAt the instant, to the microsecond
   * @return the job with it
   */
  public Job<T> runAt(Instant runAt) {
    Rules.one(!fields.containsKey("delay"));
    Rules.runAt(runAt);
    return with("runAt", runAt.truncatedTo(ChronoUnit.MICROS).toString());
  }

  /**
   * How long after the submit it may run at the earliest; excludes an instant.
   *
   * @param delay the time, to the microsecond
   * @return the job with it
   */
  public Job<T> delay(Duration delay) {
    Rules.one(!fields.containsKey("runAt"));
    Rules.between(delay, Duration.ZERO, Rules.LONGEST_DELAY, "delay");
    return with("delay", delay.truncatedTo(ChronoUnit.MICROS).toString());
  }

  /**
   * Which jobs of its queue it goes before; 5 unless given.
   *
   * @param priority from 0, which runs first, to 9
   * @return the job with it
   */
  public Job<T> priority(int priority) {
    Rules.between(priority, 0, 9, "priority");
    return with("priority", priority);
  }

  /**
   * How often it is tried at most.
   *
   * @param maxAttempts up to 1,000
   * @return the job with it
   */
  public Job<T> maxAttempts(int maxAttempts) {
    Rules.between(maxAttempts, 1, Rules.MOST_ATTEMPTS, "maxAttempts");
    return with("maxAttempts", maxAttempts);
  }

  /**
   * The policy by which it is retried; its queue's unless given.
   *
   * @param name the name of a preset or of a stored policy
   * @return the job with it
   */
  public Job<T> policy(String name) {
    InvalidJob.require(
        !name.isEmpty(), "policy", "must be the name of a preset or of a stored policy");
    Rules.key(name, "policy");
    return with("policy", name);
  }

  /**
   * Jobs of a queue with the same key run one at a time, in the order of their submits.
   *
   * @param key what they share
   * @return the job with it
   */
  public Job<T> orderingKey(String key) {
    Rules.key(key, "orderingKey");
    return with("orderingKey", key);
  }

  /**
   * How long one attempt may take.
   *
   * @param timeout up to a day, to the millisecond
   * @return the job with it
   */
  public Job<T> timeout(Duration timeout) {
    Rules.between(timeout, Duration.ofMillis(1), Duration.ofDays(1), "timeout");
    return with("timeout", timeout.truncatedTo(ChronoUnit.MILLIS).toString());
  }

  /**
   * Labels, by which people find the job. They replace those that it has.
   *
   * @param labels at most 16
   * @return the job with it
   */
  public Job<T> labels(Map<String, String> labels) {
    Map<String, String> sorted = new TreeMap<>(labels);
    Rules.labels(sorted);
    return with("labels", Collections.unmodifiableMap(sorted));
  }

  /**
   * One more label.
   *
   * @param name the label's name
   * @param value its value
   * @return the job with it
   */
  public Job<T> label(String name, String value) {
    Map<String, String> all = new TreeMap<>();
    if (fields.get("labels") instanceof Map<?, ?> labels) {
      labels.forEach((key, old) -> all.put((String) key, (String) old));
    }
    all.put(name, value);
    return labels(all);
  }

  /**
   * The trace in which it is submitted: it is kept with the job, and told to whoever runs it. Jobs
   * that go over HTTP by one request share one.
   *
   * @param traceparent of W3C Trace Context, version 00
   * @return the job with it
   */
  public Job<T> traceparent(String traceparent) {
    Rules.traceparent(traceparent);
    return with(TRACEPARENT, traceparent);
  }

  /** {@return the name of its kind} */
  public String kind() {
    return kind;
  }

  /** {@return its arguments} */
  public T args() {
    return args;
  }

  /** Its arguments as JSON text, which keeps the rules. */
  String payload(EbbJson json) {
    String payload = isJson ? (String) args : json.encode(args);
    Rules.payload(kind, payload);
    return payload;
  }

  /** A field that is text; {@code null} for its default. */
  @Nullable String text(String field) {
    return (String) fields.get(field);
  }

  /** These fields as a JSON object. */
  String options(String... names) {
    JsonWriter object = new JsonWriter();
    for (String name : names) {
      Object value = fields.get(name);
      if (value != null) {
        object.put(name, value);
      }
    }
    return object.end();
  }

  /** The whole job as a submit over REST has it in its body. */
  String text(EbbJson json) {
    Map<String, Object> body = new LinkedHashMap<>(fields);
    body.remove(TRACEPARENT);
    return text(body, payload(json));
  }

  /** The same as one by SQL among others has it, its arguments as they were written before. */
  String withPayload(String payload) {
    return text(fields, payload);
  }

  private String text(Map<String, Object> given, String payload) {
    JsonWriter object = new JsonWriter();
    object.put("kind", kind);
    given.forEach(object::put);
    return object.putJson("payload", payload).end();
  }

  @Override
  public String toString() {
    return "job of kind " + kind + " " + fields;
  }
}
