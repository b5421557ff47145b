package dev.ebb.ui.page;

import dev.ebb.api.inside.Reply;
import dev.ebb.contract.DatabaseHealth;
import dev.ebb.contract.Problem;
import dev.ebb.core.UuidText;
import java.time.Instant;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * What the page of a refusal shows.
 *
 * @param job the id of a job that is not there, for a reader who may look for it; {@code null} for
 *     none
 * @param keptSince since when jobs that ended are kept; {@code null} where that is not known
 */
public record ErrorPage(Problem problem, @Nullable String job, @Nullable Instant keptSince) {
  private static final int NOT_FOUND = 404;
  private static final String PATH_NOT_FOUND = "not_found";
  private static final String JOB_NOT_FOUND = "job_not_found";

  static ErrorPage of(Page page, Problem problem) {
    String job = page.me() != null && problem.code().equals(JOB_NOT_FOUND) ? job(page) : null;
    return new ErrorPage(problem, job, job == null ? null : keptSince(page));
  }

  private static @Nullable String job(Page page) {
    Matcher id = UuidText.PATTERN.matcher(page.self());
    return id.find() ? id.group() : null;
  }

  private static @Nullable Instant keptSince(Page page) {
    Reply reply = page.ask("/v1/database");
    return reply.problem() != null ? null : Page.read(reply, DatabaseHealth.class).keptSince();
  }

  /** What is wrong, in a few words; where something is missing, with its name. */
  public String heading() {
    if (problem.code().equals(PATH_NOT_FOUND)) {
      return "There is no such page";
    }
    return problem.status() == NOT_FOUND
        ? problem.detail().replaceFirst("\\.$", "")
        : problem.title();
  }

  /** What the heading does not say; {@code null} for nothing. */
  public @Nullable String detail() {
    boolean said = problem.status() == NOT_FOUND || problem.detail().equals(problem.title() + ".");
    return said ? null : problem.detail();
  }
}
