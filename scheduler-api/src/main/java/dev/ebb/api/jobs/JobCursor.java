package dev.ebb.api.jobs;

import dev.ebb.api.http.Ids;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.QueryText;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Where a list of jobs goes on: below the last id that was looked at, and with which filter, of
 * which it holds a checksum.
 */
final class JobCursor {
  private static final Pattern FORM = Pattern.compile("([0-9a-f-]{36})\\.([0-9a-f]{8})");

  private JobCursor() {}

  static @Nullable String write(@Nullable UUID before, JobFilter filter) {
    return before == null ? null : before + "." + checksum(filter);
  }

  /** The id below which the list goes on; a {@link Refusal} if that list had another filter. */
  static @Nullable UUID read(@Nullable String cursor, JobFilter filter) {
    if (cursor == null) {
      return null;
    }
    Matcher parts = FORM.matcher(cursor);
    if (!parts.matches()) {
      throw Refusal.unknownCursor();
    }
    UUID before = Ids.cursor(parts.group(1));
    if (!parts.group(2).equals(checksum(filter))) {
      throw Refusal.of(
          ProblemCode.INVALID_CURSOR,
          "The cursor belongs to a list with another filter. Begin the list anew, without one.");
    }
    return before;
  }

  private static String checksum(JobFilter filter) {
    CRC32C checksum = new CRC32C();
    checksum.update(QueryText.of(filter).getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(checksum.getValue());
  }
}
