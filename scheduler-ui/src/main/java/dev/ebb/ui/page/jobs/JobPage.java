package dev.ebb.ui.page.jobs;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Query;
import dev.ebb.api.http.QueryParameters;
import dev.ebb.api.inside.Reply;
import dev.ebb.contract.AttemptForecast;
import dev.ebb.contract.AttemptList;
import dev.ebb.contract.AuditList;
import dev.ebb.contract.Circuit;
import dev.ebb.contract.FollowUp;
import dev.ebb.contract.FollowUps;
import dev.ebb.contract.Job;
import dev.ebb.contract.JobLink;
import dev.ebb.contract.JobLinkList;
import dev.ebb.contract.NamedPolicy;
import dev.ebb.contract.Policy;
import dev.ebb.contract.Queue;
import dev.ebb.contract.Waiting;
import dev.ebb.ui.json.JobCopy;
import dev.ebb.ui.late.Course;
import dev.ebb.ui.late.JobTime;
import dev.ebb.ui.late.Sentence;
import dev.ebb.ui.late.Stops;
import dev.ebb.ui.late.Stretch;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.View;
import dev.ebb.ui.svg.JobStory;
import dev.ebb.ui.svg.JobTimeline;
import dev.ebb.ui.svg.TimeBar;
import dev.ebb.ui.words.PolicyWords;
import dev.ebb.ui.words.Url;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A job: what it is, what happened to it, what is going to happen. */
@RestController
public final class JobPage {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int MOST_STRETCHES = 100;

  private final View view;

  JobPage(View view) {
    this.view = view;
  }

  /**
   * What the page shows.
   *
   * @param sentence what happened to it, how late and why; parted where it names instants
   * @param time where its time went
   * @param again what submits it once more
   * @param newer the cursor of the attempts behind these; {@code null} for none
   * @param goneBefore attempts that ended before are no longer kept; {@code null} where the job is
   *     younger
   * @param policy how it is retried, in words; {@code null} where it is not kept
   * @param waiting {@code null} unless it waits
   * @param blocker the job of its ordering key for which it waits; {@code null} for none
   * @param keepsOthers whether others of its ordering key wait for it
   * @param links that show it to others; none for a reader who may not revoke them
   */
  public record Model(
      Job job,
      List<Waiting.Part> sentence,
      JobTime time,
      JobCopy again,
      @Nullable Waiting waiting,
      @Nullable Job blocker,
      boolean keepsOthers,
      List<AttemptLine> attempts,
      @Nullable String newer,
      @Nullable Instant goneBefore,
      JobStory story,
      @Nullable String policy,
      AuditList audit,
      List<JobLink> links) {

    /** Where its time went, as a bar. */
    public String bar() {
      List<TimeBar.Part> parts =
          time.stretches().stream()
              .map(one -> new TimeBar.Part(one.part().shade(), one.length()))
              .toList();
      return TimeBar.draw("Where its time went; the list below has the same data", parts);
    }

    /** The stretches of its time that a table has room for, the longest first. */
    public List<Stretch> longest() {
      List<Stretch> all = time.byLength();
      return all.subList(0, Math.min(MOST_STRETCHES, all.size()));
    }

    /** How long the others are together; zero if there are none. */
    public Duration shorter() {
      Duration shown =
          longest().stream().map(Stretch::length).reduce(Duration.ZERO, Duration::plus);
      return time.whole().minus(shown);
    }

    /** The drawing, for wide screens or for phones. */
    public String drawing(boolean phone) {
      return JobTimeline.draw(story, phone);
    }

    /** The schedule that made it, as its labels tell; {@code null} for none. */
    public @Nullable String schedule() {
      Map<String, String> labels = job.labels();
      return labels.containsKey("fireAt") ? labels.get("schedule") : null;
    }

    /** Whether it was answered although what follows a dead letter had been submitted before. */
    public boolean isLateAnswer() {
      FollowUps then = job.then();
      FollowUp givenUp = then == null ? null : then.deadLetter();
      return is("completed") && givenUp != null && givenUp.job() != null;
    }

    /** Whether an attempt recorded what could be erased, as far as attempts are shown. */
    public boolean hasRecords() {
      return newer != null || attempts.stream().anyMatch(line -> line.attempt().detail() != null);
    }

    /** Whether it has had attempts, or may have, and none is kept. */
    public boolean lacksAttempts() {
      return attempts.isEmpty() && (job.attempt() > 0 || goneBefore != null);
    }

    /** Why no attempts are there. */
    public String withoutAttempts() {
      if (lacksAttempts()) {
        return "None of its attempts is kept.";
      }
      return job.hasEnded() ? "It ended without an attempt." : "No attempts yet.";
    }

    public boolean is(String state) {
      return job.state().equals(state);
    }
  }

  @GetMapping(View.ROOT + "/jobs/{id}")
  @Open
  @QueryParameters("cursor")
  ResponseEntity<byte[]> show(
      @PathVariable String id, HttpServletRequest request, HttpServletResponse response) {
    Page page = view.page(request, response);
    String path = "/v1/jobs/" + Url.segment(id);
    Reply reply = page.ask(path);
    Job job = Page.read(reply, Job.class);
    String cursor = Query.of(request).value("cursor");
    AttemptList attempts =
        page.get(
            AttemptList.class,
            Url.of(path + "/attempts", "limit", cursor == null ? "200" : "50", "cursor", cursor));
    AttemptForecast schedule = schedule(page, path);
    AuditList audit = page.get(AuditList.class, path + "/audit?limit=50");
    Waiting waiting = job.isAvailable() ? page.get(Waiting.class, path + "/waiting") : null;
    Course course =
        new Course(
            job,
            attempts.items(),
            cursor != null,
            attempts.nextCursor() != null,
            Stops.of(audit, queueAudit(page, job), waiting, circuit(page, job)),
            page.now());
    JobTime time = JobTime.of(course);
    JobStory story = JobStory.of(attempts.items(), schedule, job.createdAt(), page.now());
    Model model =
        new Model(
            job,
            Sentence.of(course, time, waiting),
            time,
            JobCopy.of(job),
            waiting,
            blocker(page, waiting),
            OthersBehind.wait(page, job),
            attempts.items().stream().map(AttemptLine::of).toList(),
            attempts.nextCursor(),
            attempts.goneBefore(),
            story,
            policy(page, job, schedule, story),
            audit,
            page.may("jobs:operate")
                ? page.get(JobLinkList.class, path + "/links").items()
                : List.of());
    return view.html(page, "job", model);
  }

  private static @Nullable Job blocker(Page page, @Nullable Waiting waiting) {
    String id = waiting == null ? null : waiting.blocker();
    return id == null ? null : page.find(Job.class, "/v1/jobs/" + id).orElse(null);
  }

  /** That of its destination, as it is now; {@code null} if it goes to none. */
  private static @Nullable Circuit circuit(Page page, Job job) {
    if (!job.queue().equals(job.destination())) {
      return null;
    }
    Reply reply = page.ask("/v1/destinations/" + Url.segment(job.queue()) + "/circuit");
    return reply.isRefused(NOT_FOUND) ? null : Page.read(reply, Circuit.class);
  }

  /** What people did to its queue; {@code null} if the reader may not see it. */
  private static @Nullable AuditList queueAudit(Page page, Job job) {
    if (!page.has("payload:read")) {
      return null;
    }
    Instant end = job.endedAt();
    return page.get(
        AuditList.class,
        Url.of(
            "/v1/audit",
            "subject",
            job.queue(),
            "action",
            "queue",
            "to",
            end == null ? null : end.toString(),
            "limit",
            "50"));
  }

  /** A job that has ended, or is kept by a hold or a pause without an end, has none. */
  private static @Nullable AttemptForecast schedule(Page page, String path) {
    Reply reply = page.ask(path + "/attempts/coming");
    return reply.isRefused(CONFLICT) ? null : Page.read(reply, AttemptForecast.class);
  }

  private static @Nullable String policy(
      Page page, Job job, @Nullable AttemptForecast schedule, JobStory story) {
    Policy policy = schedule == null ? kept(page, job) : schedule.policy();
    if (policy == null) {
      return null;
    }
    AttemptForecast.Range givesUp =
        schedule == null || (schedule.next() == null && !job.state().equals("running"))
            ? null
            : schedule.givesUpAt();
    return PolicyWords.sentence(policy, job.maxAttempts(), job.priority(), givesUp, story.origin());
  }

  /** That of a job without a forecast: its own or, while it lives, its queue's. */
  private static @Nullable Policy kept(Page page, Job job) {
    if (job.policy() != null || job.hasEnded()) {
      return job.policy();
    }
    return page.find(Queue.class, "/v1/queues/" + Url.segment(job.queue()))
        .map(Queue::policy)
        .or(() -> page.find(NamedPolicy.class, "/v1/policies/default").map(NamedPolicy::policy))
        .orElse(null);
  }
}
