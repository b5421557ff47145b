package dev.ebb.ui.page;

import dev.ebb.contract.Problem;
import java.io.Serial;

/** Ends a page, because the API refused what it asked for. */
public final class PageFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  PageFailure(Problem problem) {
    super(problem.title(), null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
