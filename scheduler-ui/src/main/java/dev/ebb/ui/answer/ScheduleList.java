package dev.ebb.ui.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of schedules, by name. */
public record ScheduleList(List<NamedSchedule> items, @Nullable String nextCursor) {}
