package dev.ebb.api.jobs.read;

import dev.ebb.api.http.Ids;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.core.query.JobFilter;
import dev.ebb.core.query.JobOrder;
import dev.ebb.core.query.QueryText;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Where a list of jobs goes on: beyond the last id that was looked at, and with which filter and
 * order, of which it holds a checksum.
 */
final class JobCursor {
  private static final Pattern FORM = Pattern.compile("([0-9a-f-]{36})\\.([0-9a-f]{8})");

  private JobCursor() {}

  static @Nullable String write(@Nullable UUID last, JobFilter filter, JobOrder order) {
    return last == null ? null : last + "." + checksum(filter, order);
  }

  /**
   * The id beyond which the list goes on; a {@link Refusal} if that list had another filter or
   * order.
   */
  static @Nullable UUID read(@Nullable String cursor, JobFilter filter, JobOrder order) {
    if (cursor == null) {
      return null;
    }
    Matcher parts = FORM.matcher(cursor);
    if (!parts.matches()) {
      throw Refusal.unknownCursor();
    }
    UUID last = Ids.cursor(parts.group(1));
    if (!parts.group(2).equals(checksum(filter, order))) {
      throw Refusal.of(
          ProblemCode.INVALID_CURSOR,
          "The cursor belongs to a list with another filter or sort. Start again without a"
              + " cursor.");
    }
    return last;
  }

  private static String checksum(JobFilter filter, JobOrder order) {
    CRC32C checksum = new CRC32C();
    String list = order.word() + "\n" + QueryText.of(filter);
    checksum.update(list.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", checksum.getValue());
  }
}
