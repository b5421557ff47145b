package dev.ebb.api.jobs;

import dev.ebb.api.http.Ids;
import dev.ebb.api.problem.Refusal;
import java.util.UUID;

/** Job ids in paths. */
public final class JobIds {
  private JobIds() {}

  public static UUID parse(String id) {
    return Ids.read(id).orElseThrow(() -> Refusal.parameter("id", "must be a UUID"));
  }
}
