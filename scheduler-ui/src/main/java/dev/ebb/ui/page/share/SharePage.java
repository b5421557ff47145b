package dev.ebb.ui.page.share;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Answer;
import dev.ebb.api.jobs.share.SharedJobs;
import dev.ebb.api.problem.ProblemCode;
import dev.ebb.api.problem.Refusal;
import dev.ebb.contract.SharedJob;
import dev.ebb.ui.page.View;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** One job's story for whoever has a link to it: a page, or JSON for who accepts only that. */
@RestController
public final class SharePage {
  private final View view;
  private final SharedJobs jobs;

  SharePage(View view, SharedJobs jobs) {
    this.view = view;
    this.jobs = jobs;
  }

  /**
   * What the page shows.
   *
   * @param job {@code null} where there is none to show
   */
  public record Model(@Nullable SharedJob job) {
    public String css() {
      return ShareStyle.CSS;
    }
  }

  @GetMapping(SharedJobs.PATH + "/{token}")
  @Open
  ResponseEntity<byte[]> show(
      @PathVariable String token, InetAddress sender, HttpServletRequest request)
      throws SQLException {
    Optional<SharedJob> job = jobs.find(token, sender);
    String accept = request.getHeader("Accept");
    boolean wantsJson =
        accept != null && accept.contains("application/json") && !accept.contains("text/html");
    if (!wantsJson) {
      HttpStatus status = job.isPresent() ? HttpStatus.OK : HttpStatus.NOT_FOUND;
      return view.html(status, "share", new Model(job.orElse(null)));
    }
    SharedJob shown =
        job.orElseThrow(() ->
            Refusal.of(
                ProblemCode.NOT_FOUND, "The link is not known, or has expired or was revoked."));
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .header("Vary", "Accept")
        .body(Answer.bytes(shown));
  }
}
