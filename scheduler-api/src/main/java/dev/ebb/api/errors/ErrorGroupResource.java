package dev.ebb.api.errors;

import dev.ebb.api.http.Answer;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.ErrorGroup;
import dev.ebb.contract.ErrorGroupList;
import dev.ebb.db.errors.ErrorGroupPage;
import dev.ebb.db.errors.ErrorGroupView;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows groups of dead letters. */
public final class ErrorGroupResource {
  private static final Pattern CURSOR =
      Pattern.compile(
          "([0-9]{1,18})\\.([0-9]{1,18})\\.([ce])\\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

  /** By what sizes the rows are in order: else they were counted. */
  private static final String ESTIMATED = "e";

  private ErrorGroupResource() {}

  /** A page of groups. */
  public static ErrorGroupList page(ErrorGroupPage page) {
    return new ErrorGroupList(
        page.groups().stream().map(ErrorGroupResource::of).toList(),
        cursor(page.next()),
        page.total(),
        page.ungrouped(),
        page.estimated(),
        page.rowBy() == null ? null : page.rowBy().word());
  }

  private static @Nullable String cursor(ErrorGroupPage.@Nullable Position next) {
    if (next == null) {
      return null;
    }
    long asOf = ChronoUnit.MICROS.between(Instant.EPOCH, next.asOf());
    String sizes = next.estimated() ? ESTIMATED : "c";
    return next.size() + "." + asOf + "." + sizes + "." + next.row();
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
          Long.parseLong(parts.group(1)),
          UUID.fromString(parts.group(4)),
          Instant.EPOCH.plus(Long.parseLong(parts.group(2)), ChronoUnit.MICROS),
          parts.group(3).equals(ESTIMATED));
    } catch (DateTimeException e) {
      throw Refusal.unknownCursor();
    }
  }

  /** The group, or the row of several. */
  public static ErrorGroup of(ErrorGroupView group) {
    ErrorGroupView.Acknowledgement acknowledged = group.mark().acknowledged();
    return new ErrorGroup(
        group.id().toString(),
        group.queue(),
        group.kind(),
        group.pattern().reason(),
        group.pattern().text(),
        group.whose().subject(),
        group.whose().others(),
        group.groups(),
        Answer.shown(group.firstSeen()),
        Answer.shown(group.lastSeen()),
        counts(group.counts()),
        group.counts().exact(),
        group.samples().stream().map(UUID::toString).toList(),
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
