package dev.ebb.client;

import static dev.ebb.client.Settings.require;
import static dev.ebb.client.Settings.requireBetween;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Submits jobs over HTTP, and starts workers. It has nothing to close, and any number of threads
 * may use it.
 */
public final class EbbHttp {
  private final Transport transport;
  private final Repeats repeats;
  private final EbbJson json;

  private EbbHttp(Transport transport, Repeats repeats, EbbJson json) {
    this.transport = transport;
    this.repeats = repeats;
    this.json = json;
  }

  /**
   * The server at an address.
   *
   * @param server such as {@code http://ebb:8080}
   * @return what makes the client
   * @throws IllegalArgumentException for anything but http or https and a host
   */
  public static Builder at(URI server) {
    return new Builder(server);
  }

  /**
   * Submits a job. A request whose answer is lost is repeated under its {@code Idempotency-Key}, so
   * that one job is stored; so is one that the server fails at, or asks to send again. That may
   * take the {@link Builder#patience} and one {@link Builder#timeout}.
   *
   * @param job the job
   * @return its id, and whether it was there already
   * @throws InvalidJob if a field breaks its rule; nothing was sent
   * @throws EbbProblem if the server refused it; nothing was stored
   * @throws EbbUnreachable if the job may be stored or not: no usable answer came
   */
  public Submitted submit(Job<?> job) {
    return submit(job, UUID.randomUUID().toString());
  }

  /**
   * The same under a key of the caller's, which a later repeat by the caller may give again.
   *
   * @param job the job
   * @param idempotencyKey 1 to 255 visible ASCII characters
   * @return its id, and whether it was there already
   */
  public Submitted submit(Job<?> job, String idempotencyKey) {
    String traceparent = job.text(Job.TRACEPARENT);
    Map<String, String> headers = headers(idempotencyKey, traceparent);
    return repeats.post("/v1/jobs", job.text(json), headers, EbbHttp::submitted);
  }

  /**
   * Submits up to 1,000 jobs in one request, of up to 4 MiB, which is repeated as that of one job:
   * all of them are stored, or none. A request has one trace: all have the same {@code
   * traceparent}, or none.
   *
   * @param jobs the jobs
   * @return an answer for each, in their order
   * @throws InvalidJob as for one job; it tells the place of the job
   * @throws EbbProblem as for one job; it tells the place of a job that breaks a rule
   */
  public List<Submitted> submit(List<? extends Job<?>> jobs) {
    return submit(jobs, UUID.randomUUID().toString());
  }

  /**
   * The same under a key of the caller's.
   *
   * @param jobs the jobs
   * @param idempotencyKey 1 to 255 visible ASCII characters
   * @return an answer for each, in their order
   */
  public List<Submitted> submit(List<? extends Job<?>> jobs, String idempotencyKey) {
    if (jobs.isEmpty()) {
      return List.of();
    }
    String traceparent = jobs.get(0).text(Job.TRACEPARENT);
    String array = Batch.array(jobs, job -> element(job, traceparent));
    String body = new JsonWriter().putJson("jobs", array).end();
    Map<String, String> headers = headers(idempotencyKey, traceparent);
    return repeats.post("/v1/jobs/batch", body, headers, batch -> allSubmitted(batch, jobs.size()));
  }

  private String element(Job<?> job, @Nullable String traceparent) {
    InvalidJob.require(
        Objects.equals(job.text(Job.TRACEPARENT), traceparent),
        Job.TRACEPARENT,
        "must be that of the other jobs of the request");
    return job.text(json);
  }

  private static Map<String, String> headers(String idempotencyKey, @Nullable String traceparent) {
    return traceparent == null
        ? Map.of(Repeats.KEY, idempotencyKey)
        : Map.of(Repeats.KEY, idempotencyKey, Job.TRACEPARENT, traceparent);
  }

  private static List<Submitted> allSubmitted(Json batch, int count) {
    List<Json> items = batch.at("items").list();
    if (items.size() != count) {
      throw new IllegalArgumentException(items.size() + " answers to " + count + " jobs");
    }
    return items.stream().map(EbbHttp::submitted).toList();
  }

  private static Submitted submitted(Json stored) {
    Json duplicate = stored.get("deduplicated");
    return new Submitted(
        UUID.fromString(stored.at("id").string()), duplicate != null && duplicate.isTrue());
  }

  /**
   * A worker that runs jobs; it starts by {@link EbbWorker.Builder#start}.
   *
   * @param name up to 90 characters; it is shown, with digits that tell processes apart
   * @return what makes the worker
   */
  public EbbWorker.Builder worker(String name) {
    require(!name.isBlank() && name.length() <= 90, "a worker's name has 1 to 90 characters");
    return new EbbWorker.Builder(transport, json, name);
  }

  /** Collects what is known of a server. */
  public static final class Builder {
    private final URI server;
    private @Nullable Supplier<String> token;
    private @Nullable EbbJson json;
    private @Nullable HttpClient client;
    private Duration timeout = Duration.ofSeconds(10);
    private Duration patience = Duration.ofSeconds(30);

    private Builder(URI server) {
      require(
          List.of("http", "https").contains(String.valueOf(server.getScheme()))
              && server.getHost() != null,
          "the server's address must be like http://ebb:8080, and is " + server);
      this.server = server;
    }

    /**
     * The token to send; none unless given.
     *
     * @param token the secret; white space around it is left out
     * @return this
     */
    public Builder token(String token) {
      String word = Transport.checked(token);
      return token(() -> word);
    }

    /**
     * The same, asked for before each submit, so that it may change; the repeats of a submit keep
     * it. A worker keeps the token that it begins with, because its leases belong to that: for
     * another token, start another worker.
     *
     * @param token answers the secret; white space around it is left out
     * @return this
     */
    public Builder token(Supplier<String> token) {
      this.token = token;
      return this;
    }

    /**
     * How arguments become JSON; by the Jackson of the class path unless given.
     *
     * @param json writes and reads
     * @return this
     */
    public Builder json(EbbJson json) {
      this.json = json;
      return this;
    }

    /**
     * What sends; one with HTTP/1.1 unless given.
     *
     * @param client sends every request
     * @return this
     */
    public Builder client(HttpClient client) {
      this.client = client;
      return this;
    }

    /**
     * How long one request may take; 10 s unless given.
     *
     * @param timeout for one request; more than zero, and up to an hour
     * @return this
     */
    public Builder timeout(Duration timeout) {
      Duration least = Duration.ofNanos(1);
      requireBetween(
          timeout, least, Duration.ofHours(1), "a timeout is more than zero, up to an hour");
      this.timeout = timeout;
      return this;
    }

    /**
     * For how long a submit is repeated; 30 s unless given.
     *
     * @param patience up to a day; zero for not at all
     * @return this
     */
    public Builder patience(Duration patience) {
      requireBetween(patience, Duration.ZERO, Duration.ofDays(1), "patience lasts up to a day");
      this.patience = patience;
      return this;
    }

    /** {@return the client} */
    public EbbHttp build() {
      HttpClient sends = client == null ? ownClient() : client;
      Transport transport = new Transport(sends, server, token);
      return new EbbHttp(
          transport,
          new Repeats(transport, timeout, patience),
          json == null ? EbbJsons.ofClassPath() : json);
    }

    private HttpClient ownClient() {
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(timeout)
          .build();
    }
  }
}
