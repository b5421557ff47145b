package dev.ebb.ui.page.jobs;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A column of the list of jobs, in the order in which they stand. */
public enum JobColumn {
  STATE("State"),
  /** Leads to the job, so it is always there. */
  JOB("Job"),
  SUBJECT("Subject"),
  KIND("Kind"),
  QUEUE("Queue"),
  PRIORITY("Priority"),
  ATTEMPT("Attempt"),
  RUN("Next run"),
  SUBMITTED("Submitted"),
  STARTED("Last started"),
  ENDED("Ended"),
  NODE("Node"),
  DESTINATION("Destination"),
  ID("Id"),
  KEY("Unique key"),
  ORDERING("Ordering key"),
  LABELS("Labels"),
  ERROR("Last error");

  /** Those of a list for which nobody chose any. */
  static final Set<JobColumn> USUAL =
      EnumSet.of(STATE, JOB, SUBJECT, QUEUE, ATTEMPT, RUN, SUBMITTED, ERROR);

  private static final Set<JobColumn> NUMBERS = EnumSet.of(PRIORITY, ATTEMPT);

  private final String title;

  JobColumn(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  /** Its name in addresses. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it stands at the right. */
  public boolean isNumber() {
    return NUMBERS.contains(this);
  }

  /** Those that can be left out. */
  static List<JobColumn> choices() {
    return List.copyOf(EnumSet.complementOf(EnumSet.of(JOB)));
  }
}
