import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DeadLettersApi;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.api.OperationsApi;
import org.openapitools.client.api.PoliciesApi;
import org.openapitools.client.api.QueuesApi;
import org.openapitools.client.api.SchedulesApi;
import org.openapitools.client.api.StatsApi;
import org.openapitools.client.api.SystemApi;
import org.openapitools.client.api.TokensApi;
import org.openapitools.client.model.*;

/** A whole life by the generated client: what a program does with Ebb, against a node that runs. */
public final class Life {
  private static final String QUEUE = "clients-java";

  private final ApiClient client = new ApiClient();
  private final JobsApi jobs;
  private final QueuesApi queues;
  private final OperationsApi operations;
  private final SchedulesApi schedules;
  private final PoliciesApi policies;
  private final TokensApi tokens;

  private Life(String url) {
    client.updateBaseUri(url);
    jobs = new JobsApi(client);
    queues = new QueuesApi(client);
    operations = new OperationsApi(client);
    schedules = new SchedulesApi(client);
    policies = new PoliciesApi(client);
    tokens = new TokensApi(client);
  }

  public static void main(String[] args) throws Exception {
    Life life = new Life(args[0]);
    life.submits();
    life.previews();
    life.batches();
    life.verbs();
    life.queue();
    life.redrive();
    life.schedule();
    life.policy();
    life.token();
    life.reads();
    System.out.println("java: a whole life");
  }

  private static void check(boolean holds, Object what) {
    if (!holds) {
      throw new IllegalStateException(String.valueOf(what));
    }
  }

  private static NewJob report() {
    return new NewJob().kind("report").queue(QUEUE).payload(Map.of("n", 1));
  }

  private UUID submitted(NewJob job) throws ApiException {
    return Objects.requireNonNull(jobs.submitJob(job, null, null).getId());
  }

  private void submits() throws ApiException {
    NewJob job = report().uniqueKey("order-" + System.nanoTime()).labels(Map.of("shop", "42"));
    JobReceipt first = jobs.submitJob(job, null, null);
    check(first.getState() == State.AVAILABLE && first.getDeduplicated() == null, first);
    JobReceipt again = jobs.submitJob(job, null, null);
    check(again.getId().equals(first.getId()) && again.getDeduplicated(), again);
    check(again.getLabels().get("shop").equals("42"), again);
    try {
      jobs.submitJob(job.onDuplicate(NewJob.OnDuplicateEnum.REJECT), null, null);
      check(false, "a duplicate that must not be one");
    } catch (ApiException refused) {
      check(refused.getCode() == 409, refused);
      check(refused.getResponseBody().contains("unique_key_taken"), refused.getResponseBody());
    }
    Job read = jobs.getJob(first.getId(), null, null);
    check(read.getKind().equals("report") && read.getRunAt() != null, read);
    UUID policy = submitted(report().policy(new PolicyOrName("svix")));
    check(jobs.getJob(policy, null, null).getPolicy().getSteps().size() > 3, policy);
    Policy own = new Policy().jitter(Policy.JitterEnum.SLOTS).slot("PT0.05S");
    UUID owner = submitted(report().policy(new PolicyOrName(own)).timeout("PT0.5S"));
    check(jobs.getJob(owner, null, null).getPolicy().getSlot().equals("PT0.05S"), owner);
  }

  private void previews() throws ApiException {
    JobPreview preview = jobs.previewJob(report().policy(new PolicyOrName("sip")));
    check(preview.getAttempts().size() == preview.getMaxAttempts(), preview);
    check(preview.getGiveUp().getMedian().startsWith("PT"), preview);
    BatchPreview batch = jobs.previewBatch(new Batch().jobs(List.of(report(), report())));
    check(batch.getValid() && batch.getItems().size() == 2, batch);
  }

  private void batches() throws ApiException {
    BatchResult whole = jobs.submitBatch(new Batch().jobs(List.of(report(), report())), null, null);
    check(whole.getItems().stream().allMatch(item -> item.getId() != null), whole);
    NewJob broken = report().delay("PT1S").runAt(OffsetDateTime.now());
    Batch parts = new Batch().atomic(false).jobs(List.of(report(), broken));
    BatchResult some = jobs.submitBatch(parts, null, null);
    check(some.getItems().get(0).getId() != null, some);
    check(some.getItems().get(1).getProblem().getCode().equals("invalid_input"), some);
    JobList list =
        jobs.listJobs(
            null, List.of("available", "held"), List.of(QUEUE), null, null, null, null, null, null,
            null, null, null, null, null, null, null, null, null, 5);
    check(list.getItems().size() == 5 && list.getNextCursor() != null, list);
  }

  private void verbs() throws ApiException {
    UUID id = submitted(report().delay("PT1H"));
    check(jobs.retryJob(id, null).getId().equals(id), id);
    check(jobs.holdJob(id, null).getPhase() == Phase.HELD, id);
    check(jobs.releaseJob(id, null).getPhase() == Phase.AVAILABLE, id);
    jobs.noteJob(id, new NewNote().note("called the merchant"));
    JobPatch patch = new JobPatch().priority(0);
    check(jobs.patchJob(id, patch, "*").getPriority() == 0, id);
    JobReceipt copy = jobs.cloneJob(id, null, new CloneRequest().delay("PT1H"));
    check(!copy.getId().equals(id), copy);
    check(jobs.cancelJob(id, null).getState() == State.CANCELLED, id);
    jobs.erasePayload(id, null);
  }

  private void queue() throws ApiException {
    String name = QUEUE + "-limited";
    RateLimit limit = new RateLimit().permitsPerSecond(new BigDecimal(50)).warmUp("PT2M");
    QueueSettings settings = new QueueSettings().paused(false).rateLimit(limit);
    check(queues.putQueue(name, settings, null, null, null).getConfigured(), name);
    check(queues.pauseQueue(name, null).getPaused(), name);
    check(!queues.resumeQueue(name, null, null).getPaused(), name);
    check(queues.warmUpQueue(name, null).getPhase() == Limiter.PhaseEnum.COLD, name);
    queues.previewLimiter(name, new LimiterPreviewRequest().rateLimit(limit));
    check(queues.purgeQueue(name, new PurgeRequest().confirm(name)).getRemaining() == 0, name);
    queues.deleteQueue(name, "*", null);
  }

  /** Deliveries to an address that none may reach die at once. */
  private void redrive() throws Exception {
    NewJob dying =
        new NewJob().kind("http").queue(QUEUE).payload(Map.of("url", "http://127.0.0.1:1/"));
    List<UUID> ids = List.of(submitted(dying), submitted(dying), submitted(dying));
    for (UUID id : ids) {
      check(jobs.getJob(id, "PT30S", null).getState() == State.DEAD_LETTER, id);
    }
    check(jobs.redriveJob(ids.get(2), null, null).getId().equals(ids.get(2)), ids);
    jobs.getJob(ids.get(2), "PT30S", null);
    NewOperation redrive =
        new NewOperation()
            .action(NewOperation.ActionEnum.REDRIVE)
            .ids(ids)
            .stages(List.of(1))
            .stopOnFailureRatio(BigDecimal.ONE);
    check(operations.previewOperation(redrive).getMatched() == 3, ids);
    Operation begun = operations.startOperation(redrive, null);
    check(begun.getId() != null && begun.getStages().equals(List.of(1)), begun);
    Operation ended = operations.getOperation(begun.getId(), "PT60S");
    check(ended.getState() == Operation.StateEnum.COMPLETED && ended.getDone() == 3, ended);
    check(operations.listStageItems(begun.getId(), null, null).getItems().size() == 1, ended);
    String report = Files.readString(operations.reportOperation(begun.getId()).toPath());
    check(report.contains(ids.get(0).toString()), report);
    NewOperation hold =
        new NewOperation()
            .action(NewOperation.ActionEnum.HOLD)
            .filter(new OperationFilter().key("none"));
    check(operations.startOperation(hold, null).getId() != null, hold);
    new DeadLettersApi(client).listErrorGroups(null, QUEUE, null, null, null, null, null);
  }

  private void schedule() throws ApiException {
    String name = QUEUE;
    ScheduleSettings settings =
        new ScheduleSettings()
            .cron("0 9 * * 1-5")
            .job(new ScheduleJob().kind("report").queue(QUEUE).payload(null));
    check(schedules.putSchedule(name, settings, null, null).getNextFireAt() != null, name);
    check(schedules.pauseSchedule(name, null).getPaused(), name);
    check(!schedules.resumeSchedule(name, null).getPaused(), name);
    check(schedules.runSchedule(name, null, null).getJobId() != null, name);
    check(schedules.listFires(name, null, null).getItems().size() == 1, name);
    SchedulePreviewRequest every = new SchedulePreviewRequest().every("PT10M");
    check(schedules.previewSchedule(every).getFires().size() == 10, every);
    schedules.deleteSchedule(name, "*", null);
  }

  private void policy() throws ApiException {
    String name = QUEUE;
    Policy slots = new Policy().jitter(Policy.JitterEnum.SLOTS).slot("PT1S");
    PolicySettings settings = new PolicySettings().policy(new PolicyOrName(slots));
    check(policies.putPolicy(name, settings, null, null).getPolicy().getSlot().equals("PT1S"), name);
    PolicyPreviewRequest preview = new PolicyPreviewRequest().policy(new PolicyOrName(name));
    check(!policies.previewPolicy(preview).getAttempts().isEmpty(), preview);
    policies.deletePolicy(name, "*", null);
  }

  private void token() throws ApiException {
    Token viewer = tokens.createToken(new NewToken().name("java viewer").role(Role.VIEWER));
    check(viewer.getToken().startsWith("ebb_"), viewer.getName());
    NewToken scoped = new NewToken().name("java scoped").scopes(List.of(Scope.JOBS_SUBMIT));
    String id = tokens.createToken(scoped.lifetime("PT1H")).getId();
    check(tokens.listTokens(null, null).getItems().size() >= 2, id);
    check(tokens.revokeToken(id, null).getRevokedAt() != null, id);
    tokens.revokeToken(viewer.getId(), null);
    check(tokens.getMe().getScopes().contains(Scope.JOBS_READ), "me");
  }

  private void reads() throws Exception {
    check(new StatsApi(client).getStatsOverview(null, null, QUEUE, null).getItems().size() == 1, QUEUE);
    check(new StatsApi(client).getForecast(null).getMinutes().size() == 60, "forecast");
    check(!new SystemApi(client).getDatabase().getFindings().isEmpty(), "database");
    check(new SystemApi(client).ready().getStatus().equals("ready"), "ready");
    String metrics = Files.readString(new SystemApi(client).metrics().toPath());
    check(metrics.contains("ebb_jobs_submitted_total"), metrics);
  }
}
