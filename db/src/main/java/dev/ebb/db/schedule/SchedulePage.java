package dev.ebb.db.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the schedules, by name.
 *
 * @param next the name after which the next page begins; {@code null} at the end
 */
public record SchedulePage(List<ScheduleView> schedules, @Nullable String next) {}
