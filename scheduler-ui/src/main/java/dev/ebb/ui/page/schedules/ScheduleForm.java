package dev.ebb.ui.page.schedules;

import dev.ebb.api.http.Form;
import dev.ebb.contract.NamedSchedule;
import dev.ebb.contract.NamedSchedule.Template;
import dev.ebb.contract.ScheduleExclusions;
import dev.ebb.ui.json.Exact;
import dev.ebb.ui.json.Json;
import dev.ebb.ui.page.LabelNames;
import dev.ebb.ui.page.lab.LabForm;
import dev.ebb.ui.words.Lengths;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a schedule as typed; the API checks them.
 *
 * @param values by field, those that have one
 * @param weekdays that are excluded
 */
public record ScheduleForm(Map<String, String> values, List<String> weekdays) {
  private static final List<String> FIELDS =
      List.of(
          "name",
          "cron",
          "every",
          "timeZone",
          "startAt",
          "endAt",
          "exclude.dates",
          "exclude.yearly",
          "misfire",
          "mostMisfires",
          "overlap",
          "job.kind",
          "job.queue",
          "job.payload",
          "job.priority",
          "job.maxAttempts",
          "job.timeout",
          "job.policy",
          "job.uniqueKey",
          "job.orderingKey",
          "job.labels",
          "job.then");

  private static final String OWN_POLICY = "job.policy.";
  private static final List<String> POLICY =
      Stream.concat(LabForm.POLICY.stream(), Stream.of("priorityScale")).toList();

  public ScheduleForm {
    values = new LinkedHashMap<>(values);
    weekdays = List.copyOf(weekdays);
  }

  /** A new one, with something to look at. */
  static ScheduleForm blank() {
    return new ScheduleForm(Map.of("cron", "0 9 * * 1-5", "timeZone", "UTC"), List.of());
  }

  static ScheduleForm of(Form form) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String field : FIELDS) {
      put(values, field, form.value(field).strip());
    }
    for (String field : POLICY) {
      put(values, OWN_POLICY + field, form.value(OWN_POLICY + field).strip());
    }
    return new ScheduleForm(values, form.values("exclude.weekdays"));
  }

  static ScheduleForm of(NamedSchedule schedule) {
    Map<String, String> values = new LinkedHashMap<>();
    put(values, "name", schedule.name());
    put(values, "cron", schedule.cron());
    put(values, "every", typed(schedule.every()));
    put(values, "timeZone", schedule.timeZone());
    put(values, "startAt", schedule.startAt());
    put(values, "endAt", schedule.endAt());
    put(values, "misfire", schedule.misfire());
    put(values, "mostMisfires", schedule.mostMisfires());
    put(values, "overlap", schedule.overlap());
    putJob(values, schedule.job());
    ScheduleExclusions days = schedule.excluded();
    put(values, "exclude.dates", String.join(" ", days.onDates()));
    put(values, "exclude.yearly", String.join(" ", days.everyYear()));
    return new ScheduleForm(values, days.onWeekdays());
  }

  private static void putJob(Map<String, String> values, Template job) {
    String payload = job.payload();
    put(values, "job.kind", job.kind());
    put(values, "job.queue", job.queue());
    put(values, "job.payload", payload == null ? null : Exact.read(payload).text());
    put(values, "job.priority", job.priority());
    put(values, "job.maxAttempts", job.maxAttempts());
    put(values, "job.timeout", typed(job.timeout()));
    if (job.policy() != null) {
      LabForm policy = LabForm.of(Json.tree(job.policy()));
      POLICY.forEach(field -> put(values, OWN_POLICY + field, policy.get(field)));
    }
    put(values, "job.uniqueKey", job.uniqueKey());
    put(values, "job.orderingKey", job.orderingKey());
    put(values, "job.labels", LabelNames.lines(job.labels()));
    put(values, "job.then", job.then() == null ? null : Exact.read(Json.text(job.then())).text());
  }

  private static @Nullable String typed(@Nullable Duration length) {
    return length == null ? null : Lengths.typed(length);
  }

  private static void put(
      Map<String, ? super String> values, String field, @Nullable Object value) {
    if (value != null && !value.toString().isEmpty()) {
      values.put(field, value.toString());
    }
  }

  /** What was typed; empty for nothing. */
  public String get(String field) {
    return values.getOrDefault(field, "");
  }

  /** A field of the policy that its jobs have and no queue; empty for none. */
  public String own(String field) {
    return get(OWN_POLICY + field);
  }

  public boolean hasOwnPolicy() {
    return POLICY.stream().anyMatch(field -> !own(field).isEmpty());
  }

  /** Whether this option is selected or the default. */
  public boolean is(String field, String choice, boolean usual) {
    String chosen = get(field);
    return chosen.isEmpty() ? usual : chosen.equals(choice);
  }

  /**
   * The body that asks for a preview.
   *
   * @param before the schedule that is edited, whose interval goes on as it did if it stays
   */
  String times(@Nullable NamedSchedule before) {
    Map<String, Object> body = new LinkedHashMap<>();
    for (String field : List.of("cron", "timeZone", "startAt", "endAt")) {
      putTyped(body, field, get(field));
    }
    putTyped(body, "every", Lengths.iso(get("every")));
    if (before != null && get("startAt").isEmpty() && hasInterval(before.every())) {
      put(body, "origin", before.origin());
    }
    Map<String, Object> days = new LinkedHashMap<>();
    putList(days, "weekdays", weekdays);
    putList(days, "dates", listed("exclude.dates"));
    putList(days, "yearly", listed("exclude.yearly"));
    if (!days.isEmpty()) {
      body.put("exclude", days);
    }
    return Json.pretty(body);
  }

  private boolean hasInterval(@Nullable Duration length) {
    try {
      return Duration.parse(Lengths.iso(get("every"))).equals(length);
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static void putTyped(Map<String, Object> body, String field, String value) {
    if (!value.isEmpty()) {
      body.put(field, value);
    }
  }

  private static void putList(Map<String, Object> body, String field, List<String> values) {
    if (!values.isEmpty()) {
      body.put(field, values);
    }
  }

  private List<String> listed(String field) {
    return Arrays.stream(get(field).split("[\\s,]+")).filter(one -> !one.isEmpty()).toList();
  }
}
