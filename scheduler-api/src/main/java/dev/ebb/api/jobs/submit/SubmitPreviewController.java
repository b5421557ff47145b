package dev.ebb.api.jobs.submit;

import dev.ebb.api.access.Needs;
import dev.ebb.api.http.Answer;
import dev.ebb.core.access.Scope;
import dev.ebb.db.submit.Submission;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Checks what a submit would store, and stores nothing. Neither keys nor room are looked at. */
@Controller
@RequestMapping(produces = "application/json")
public final class SubmitPreviewController {
  private final JobBodies bodies;
  private final SubmitPreviews previews;

  SubmitPreviewController(JobBodies bodies, SubmitPreviews previews) {
    this.bodies = bodies;
    this.previews = previews;
  }

  @PostMapping("/v1/jobs/preview")
  @Needs(Scope.JOBS_SUBMIT)
  Answer preview(HttpServletRequest request) throws Exception {
    return Answer.ok(previews.of(bodies.described(request)));
  }

  @PostMapping("/v1/jobs/batch/preview")
  @Needs(Scope.JOBS_SUBMIT)
  Answer previewBatch(HttpServletRequest request) throws Exception {
    return Answer.ok(
        switch (bodies.describedBatch(request)) {
          case BatchRequest.Whole(Submission batch) -> previews.of(batch.jobs());
          case BatchRequest.Parts(PartialBatch batch) -> previews.of(batch, request);
        });
  }
}
