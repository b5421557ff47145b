package dev.ebb.api.jobs;

import dev.ebb.api.problem.Refusal;
import java.util.UUID;
import java.util.regex.Pattern;

/** Job ids in paths: a UUID in its one canonical form. */
final class JobIds {
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private JobIds() {}

  static UUID parse(String id) {
    if (!UUID_TEXT.matcher(id).matches()) {
      throw Refusal.parameter("id", "must be a UUID");
    }
    return UUID.fromString(id);
  }
}
