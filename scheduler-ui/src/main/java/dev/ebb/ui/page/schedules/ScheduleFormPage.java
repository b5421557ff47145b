package dev.ebb.ui.page.schedules;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Bodies;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.NamedSchedule;
import dev.ebb.contract.Problem;
import dev.ebb.contract.SchedulePreview;
import dev.ebb.core.schedule.TimeZones;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.DayOfWeek;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where people write a schedule, and see at once what it would mean: a preview comes with every
 * change, or without script by a button.
 */
@RestController
public final class ScheduleFormPage {
  private static final int BAD_REQUEST = 400;

  /** Bytes of a form, of which the longest payload takes fewer. */
  private static final int MAX_FORM = 256 * 1024;

  /** Where one that has no name yet is written. */
  private static final String EDIT = View.ROOT + "/schedules/{schedule}/edit";

  private final View view;
  private final Bodies bodies;

  ScheduleFormPage(View view, Bodies bodies) {
    this.view = view;
    this.bodies = bodies;
  }

  /**
   * What the page shows.
   *
   * @param name of the schedule that is edited; {@code null} for a new one
   * @param tag of it
   */
  public record Model(
      ScheduleForm form, @Nullable String name, @Nullable String tag, Preview preview) {
    /** The names of all zones. */
    public Collection<String> zones() {
      return TimeZones.ids();
    }

    public List<String> days() {
      return Arrays.stream(DayOfWeek.values())
          .map(day -> day.name().toLowerCase(Locale.ROOT))
          .toList();
    }
  }

  /**
   * What the times of the form mean.
   *
   * @param times {@code null} where they break a rule
   * @param refused that rule
   */
  public record Preview(@Nullable SchedulePreview times, @Nullable Problem refused) {
    /** The fields beside which a rule may stand. */
    public static final List<String> FIELDS =
        List.of("cron", "every", "timeZone", "startAt", "endAt", "exclude");

    /** The rule that a field breaks; empty if it keeps all. */
    public String rule(String field) {
      String rule = refused == null ? null : refused.at("/" + field);
      return rule == null ? "" : rule;
    }

    /** What is wrong besides; {@code null} if nothing is. */
    public @Nullable String other() {
      return refused == null || FIELDS.stream().anyMatch(field -> !rule(field).isEmpty())
          ? null
          : refused.title();
    }
  }

  @GetMapping(View.NEW_SCHEDULE)
  @Open
  ResponseEntity<byte[]> begin(HttpServletRequest request, HttpServletResponse response) {
    return shown(view.page(request, response), ScheduleForm.blank());
  }

  /** The same with what was typed, for who has no script. */
  @PostMapping(View.NEW_SCHEDULE)
  @Open
  ResponseEntity<byte[]> preview(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    return shown(page, form(request));
  }

  @GetMapping(EDIT)
  @Open
  ResponseEntity<byte[]> edit(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String schedule) {
    Page page = view.page(request, response);
    Reply reply = page.ask("/v1/schedules/" + Url.segment(schedule));
    NamedSchedule before = Page.read(reply, NamedSchedule.class);
    return shown(page, ScheduleForm.of(before), before, reply.tag());
  }

  @PostMapping(EDIT)
  @Open
  ResponseEntity<byte[]> previewEdit(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String schedule) {
    Page page = view.page(request, response);
    Reply reply = page.ask("/v1/schedules/" + Url.segment(schedule));
    NamedSchedule before = Page.read(reply, NamedSchedule.class);
    return shown(page, form(request), before, reply.tag());
  }

  /**
   * What the times mean, to be put beside the form; and the rules that they break, beside fields.
   */
  @PostMapping(View.ROOT + "/schedule-preview")
  @Open
  ResponseEntity<byte[]> fragment(HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    return view.html(page, "schedule-preview", preview(page, form(request), null));
  }

  /** The same for one that is edited. */
  @PostMapping(View.ROOT + "/schedules/{schedule}/preview")
  @Open
  ResponseEntity<byte[]> fragmentOfEdit(
      HttpServletRequest request, HttpServletResponse response, @PathVariable String schedule) {
    Page page = view.page(request, response);
    NamedSchedule before = page.get(NamedSchedule.class, "/v1/schedules/" + Url.segment(schedule));
    return view.html(page, "schedule-preview", preview(page, form(request), before));
  }

  private ScheduleForm form(HttpServletRequest request) {
    return ScheduleForm.of(bodies.form(request, MAX_FORM));
  }

  private ResponseEntity<byte[]> shown(Page page, ScheduleForm form) {
    return view.html(page, "schedule-form", new Model(form, null, null, preview(page, form, null)));
  }

  private ResponseEntity<byte[]> shown(
      Page page, ScheduleForm form, NamedSchedule before, @Nullable String tag) {
    return view.html(
        page, "schedule-form", new Model(form, before.name(), tag, preview(page, form, before)));
  }

  private static Preview preview(Page page, ScheduleForm form, @Nullable NamedSchedule before) {
    Reply reply = page.question("/v1/schedules/preview", form.times(before));
    return reply.isRefused(BAD_REQUEST)
        ? new Preview(null, reply.problem())
        : new Preview(Page.read(reply, SchedulePreview.class), null);
  }
}
