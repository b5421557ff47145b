package dev.ebb.ui.json;

import dev.ebb.contract.Job;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What a submit says of a job, as the API answers it of one that is there. Its time and its unique
 * key are left out: the new job is due now, and no duplicate of the old one.
 *
 * @param payload {@code null} where none is kept
 */
public record JobCopy(
    Exact kind,
    Exact queue,
    @Nullable Exact payload,
    Exact priority,
    Exact maxAttempts,
    @Nullable Exact policy,
    @Nullable Exact timeout,
    @Nullable Exact orderingKey,
    @Nullable Exact labels) {
  /** What stands in place of a secret, whoever asks. */
  private static final String HIDDEN = "***";

  /** What submits a job once more. */
  public static JobCopy of(Job job) {
    return new JobCopy(
        Exact.of(job.kind()),
        Exact.of(job.queue()),
        job.payload() == null ? null : Exact.read(job.payload()),
        Exact.of(job.priority()),
        Exact.of(job.maxAttempts()),
        job.policy() == null ? null : Exact.of(job.policy()),
        job.timeout() == null ? null : Exact.of(job.timeout()),
        job.orderingKey() == null ? null : Exact.of(job.orderingKey()),
        Exact.of(job.labels()));
  }

  /** The body of the submit, in which any sign that nobody can see is written as its number. */
  public String json() {
    StringJoiner fields = new StringJoiner(",\n", "{\n", "\n}");
    add(fields, "kind", kind);
    add(fields, "queue", queue);
    add(fields, "priority", priority);
    add(fields, "maxAttempts", maxAttempts);
    add(fields, "policy", policy);
    add(fields, "timeout", timeout);
    add(fields, "orderingKey", orderingKey);
    add(fields, "labels", labels);
    add(fields, "payload", payload);
    return fields.toString();
  }

  private static void add(StringJoiner fields, String name, @Nullable Exact value) {
    if (value != null) {
      fields.add("  \"" + name + "\": " + nested(value.text()));
    }
  }

  /** Whether secrets are to be put in before it is sent. */
  public boolean hidesSecrets() {
    return payload != null && payload.text().contains(HIDDEN);
  }

  /** Breaks of lines are between tokens alone: those in strings are escaped. */
  private static String nested(String json) {
    StringBuilder text = new StringBuilder();
    json.codePoints()
        .forEach(point -> {
          if (point == '\n') {
            text.append("\n  ");
          } else if (isSeen(point)) {
            text.appendCodePoint(point);
          } else {
            for (char unit : Character.toChars(point)) {
              text.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
            }
          }
        });
    return text.toString();
  }

  private static boolean isSeen(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
