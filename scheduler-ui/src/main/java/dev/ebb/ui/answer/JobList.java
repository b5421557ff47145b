package dev.ebb.ui.answer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of jobs, newest first. */
public record JobList(List<Job> items, @Nullable String nextCursor, Looked looked) {
  /** How far it looked for them. */
  public record Looked(int jobs, @Nullable Instant backTo) {}
}
