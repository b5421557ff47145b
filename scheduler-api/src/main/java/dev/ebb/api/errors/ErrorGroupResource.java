package dev.ebb.api.errors;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.http.Answer;
import dev.ebb.api.http.Paged;
import dev.ebb.api.problem.Refusal;
import dev.ebb.db.errors.ErrorGroupPage;
import dev.ebb.db.errors.ErrorGroupView;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A group of dead letters as answers show it; what does not apply is left out.
 *
 * @param counts by window
 * @param exact whether all counts are
 * @param sinceAcknowledged how many died since it was acknowledged
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ErrorGroupResource(
    UUID id,
    String queue,
    String kind,
    String errorReason,
    String pattern,
    Instant firstSeenAt,
    Instant lastSeenAt,
    Map<String, Long> counts,
    boolean exact,
    List<UUID> samples,
    boolean acknowledged,
    @Nullable Instant acknowledgedAt,
    @Nullable String acknowledgedBy,
    @Nullable Long sinceAcknowledged,
    @Nullable String assignee,
    @Nullable String note) {
  private static final Pattern CURSOR =
      Pattern.compile("([0-9]{1,18})\\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

  /**
   * A page of groups, last seen first.
   *
   * @param nextCursor of the next page; absent at the end
   * @param ungrouped how many dead letters have no group yet, counted up to 1,000
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<ErrorGroupResource> items, @Nullable String nextCursor, long ungrouped)
      implements Paged {}

  static Page page(ErrorGroupPage page) {
    return new Page(
        page.groups().stream().map(ErrorGroupResource::of).toList(),
        cursor(page.next()),
        page.ungrouped());
  }

  private static @Nullable String cursor(ErrorGroupPage.@Nullable Position next) {
    return next == null
        ? null
        : ChronoUnit.MICROS.between(Instant.EPOCH, next.lastSeen()) + "." + next.id();
  }

  /** The place that a cursor names. */
  static ErrorGroupPage.@Nullable Position position(@Nullable String cursor) {
    if (cursor == null) {
      return null;
    }
    Matcher parts = CURSOR.matcher(cursor);
    if (!parts.matches()) {
      throw Refusal.unknownCursor();
    }
    try {
      return new ErrorGroupPage.Position(
          Instant.EPOCH.plus(Long.parseLong(parts.group(1)), ChronoUnit.MICROS),
          UUID.fromString(parts.group(2)));
    } catch (DateTimeException e) {
      throw Refusal.unknownCursor();
    }
  }

  static ErrorGroupResource of(ErrorGroupView group) {
    ErrorGroupView.Acknowledgement acknowledged = group.mark().acknowledged();
    return new ErrorGroupResource(
        group.id(),
        group.queue(),
        group.kind(),
        group.pattern().reason(),
        group.pattern().text(),
        Answer.shown(group.firstSeen()),
        Answer.shown(group.lastSeen()),
        counts(group.counts()),
        group.counts().exact(),
        group.samples(),
        acknowledged != null,
        acknowledged == null ? null : Answer.shown(acknowledged.at()),
        acknowledged == null ? null : acknowledged.by(),
        acknowledged == null ? null : group.counts().sinceAcknowledged(),
        group.mark().assignee(),
        group.mark().note());
  }

  private static Map<String, Long> counts(ErrorGroupView.Counts counts) {
    Map<String, Long> byWindow = new LinkedHashMap<>();
    for (int i = 0; i < ErrorGroupView.WINDOWS.size(); i++) {
      byWindow.put(ErrorGroupView.WINDOWS.get(i), counts.byWindow().get(i));
    }
    return byWindow;
  }
}
