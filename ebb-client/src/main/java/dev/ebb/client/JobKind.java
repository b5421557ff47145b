package dev.ebb.client;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kind of jobs and the type of their arguments: who submits and who runs them share it.
 *
 * @param <T> the arguments, most often a record
 */
public final class JobKind<T> {
  private final String name;
  private final Class<T> type;
  private final boolean isJson;

  private JobKind(String name, Class<T> type, boolean isJson) {
    Rules.kind(name);
    this.name = name;
    this.type = Objects.requireNonNull(type);
    this.isJson = isJson;
  }

  /**
   * A kind whose arguments are values of a class.
   *
   * @param <T> the arguments, most often a record
   * @param name a letter, then letters, digits and {@code _ . : -}, at most 63
   * @param type their class
   * @return the kind with this name
   */
  public static <T> JobKind<T> of(String name, Class<T> type) {
    return new JobKind<>(name, type, false);
  }

  /**
   * A kind whose arguments are JSON text, which is kept to the byte.
   *
   * @param name as for {@link #of}
   * @return the kind with this name
   */
  public static JobKind<String> json(String name) {
    return new JobKind<>(name, String.class, true);
  }

  /** {@return its name} */
  public String name() {
    return name;
  }

  /**
   * A job with every default: in the queue {@code default}, due at once.
   *
   * @param args its arguments
   * @return the job, which is stored when it is submitted
   */
  public Job<T> job(T args) {
    return new Job<>(name, args, isJson);
  }

  /** Refuses what could read none of its jobs: each attempt would fail. */
  void requireReadable(EbbJson json) {
    if (!isJson) {
      EbbJsons.require(json, type);
    }
  }

  /** Its arguments; {@code null} for the JSON value null. */
  @SuppressWarnings("unchecked") // Of a primitive class, they are boxed.
  @Nullable T decode(EbbJson json, String payload) {
    return (T) (isJson ? payload : json.decode(payload, type));
  }
}
