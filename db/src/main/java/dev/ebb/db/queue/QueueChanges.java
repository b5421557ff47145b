package dev.ebb.db.queue;

import dev.ebb.db.audit.Changes;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What becomes of a queue's settings, for the audit. */
final class QueueChanges {
  private QueueChanges() {}

  /**
   * What differs.
   *
   * @param before {@code null} where there were none
   * @param after {@code null} where there are none any more
   */
  static Changes of(@Nullable QueueView before, @Nullable QueueView after) {
    return new Changes()
        .add("paused", get(before, QueueSettings::paused), get(after, QueueSettings::paused))
        .add("pausedUntil", until(before), until(after))
        .add("policy", get(before, QueueChanges::policy), get(after, QueueChanges::policy))
        .add(
            "rateLimit",
            get(before, QueueSettings::rateLimit),
            get(after, QueueSettings::rateLimit))
        .add(
            "maxConcurrency",
            get(before, QueueSettings::maxConcurrency),
            get(after, QueueSettings::maxConcurrency))
        .add("maxDepth", get(before, QueueSettings::maxDepth), get(after, QueueSettings::maxDepth))
        .add("weight", get(before, QueueSettings::weight), get(after, QueueSettings::weight))
        .add(
            "labelsFrom",
            get(before, QueueChanges::labelsFrom),
            get(after, QueueChanges::labelsFrom));
  }

  /** By its name where it follows one. */
  private static @Nullable Object policy(QueueSettings settings) {
    return settings.policyName() == null ? settings.policy() : settings.policyName();
  }

  private static @Nullable Object labelsFrom(QueueSettings settings) {
    return settings.labelsFrom().isEmpty() ? null : settings.labelsFrom();
  }

  private static @Nullable Object get(
      @Nullable QueueView view, Function<QueueSettings, @Nullable Object> field) {
    return view == null ? null : field.apply(view.settings());
  }

  private static @Nullable Instant until(@Nullable QueueView view) {
    return view == null || view.pause() == null ? null : view.pause().until();
  }
}
