package dev.ebb.bench.child;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.ebb.bench.machine.Target;

/** What the harness asks of a child: one line of JSON each. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "verb")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Request.Open.class, name = "open"),
  @JsonSubTypes.Type(value = Request.Fill.class, name = "fill"),
  @JsonSubTypes.Type(value = Request.FillLoud.class, name = "fillLoud"),
  @JsonSubTypes.Type(value = Request.Limit.class, name = "limit"),
  @JsonSubTypes.Type(value = Request.Submit.class, name = "submit"),
  @JsonSubTypes.Type(value = Request.Start.class, name = "start"),
  @JsonSubTypes.Type(value = Request.Fire.class, name = "fire"),
  @JsonSubTypes.Type(value = Request.Hold.class, name = "hold"),
  @JsonSubTypes.Type(value = Request.Progress.class, name = "progress"),
  @JsonSubTypes.Type(value = Request.Pace.class, name = "pace"),
  @JsonSubTypes.Type(value = Request.Claims.class, name = "claims"),
  @JsonSubTypes.Type(value = Request.Serve.class, name = "serve"),
  @JsonSubTypes.Type(value = Request.Deliver.class, name = "deliver"),
  @JsonSubTypes.Type(value = Request.Runs.class, name = "runs"),
  @JsonSubTypes.Type(value = Request.Heap.class, name = "heap"),
  @JsonSubTypes.Type(value = Request.Used.class, name = "used"),
  @JsonSubTypes.Type(value = Request.Stop.class, name = "stop"),
  @JsonSubTypes.Type(value = Request.Close.class, name = "close")
})
public sealed interface Request {

  /**
   * Opens the contender.
   *
   * @param install whether to create its tables first
   * @param numbers jobs have the numbers 0 to {@code numbers - 1}
   * @param failures how often each job fails before it succeeds
   */
  record Open(Target target, boolean install, int queues, int numbers, int failures)
      implements Request {}

  /** Stores jobs in bulk. */
  record Fill(int from, int to, long dueInSeconds) implements Request {}

  /** Stores jobs in bulk in a queue of their own; each will run for half a second. */
  record FillLoud(int from, int to) implements Request {}

  /** Limits each queue to so many starts a second. */
  record Limit(double perSecond) implements Request {}

  /** Stores jobs one by one from several threads; answers how long each took, in microseconds. */
  record Submit(int from, int to, int threads) implements Request {}

  /** Starts the node. */
  record Start() implements Request {}

  /** Has the node fire schedules, too. */
  record Fire() implements Request {}

  /** Starts a node for this many jobs, whose handlers run until it stops; answers when all run. */
  record Hold(int jobs) implements Request {}

  /** How many jobs succeeded here. */
  record Progress() implements Request {}

  /**
   * Submits from number {@code from} on at a pace, and waits until all have run; answers how long
   * each took from its commit to its handler's start, in microseconds.
   *
   * @param byChance whether the pauses between two are a Poisson process's, or all the same
   */
  record Pace(int from, int to, int perSecond, int threads, boolean byChance) implements Request {}

  /**
   * Claims {@code times} times {@code most} jobs by hand and answers how long each claim took, in
   * microseconds.
   *
   * @param settle whether to complete the jobs after each claim, outside the time
   */
  record Claims(int queue, int times, int most, boolean settle) implements Request {}

  /**
   * Starts the REST API and answers its port.
   *
   * @param open whether it asks for no tokens
   */
  record Serve(boolean open) implements Request {}

  /** Starts a node that delivers so many jobs at a time. */
  record Deliver(int concurrency) implements Request {}

  /** How often each number ran here. */
  record Runs() implements Request {}

  /** The largest heap that was left in use after a garbage collection, in megabytes. */
  record Heap() implements Request {}

  /** The heap that is in use after a garbage collection at once, in megabytes. */
  record Used() implements Request {}

  /** Stops the node. */
  record Stop() implements Request {}

  /** Closes the contender. */
  record Close() implements Request {}
}
