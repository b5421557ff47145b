package dev.ebb.ui.page.operations;

import dev.ebb.contract.Operation;
import dev.ebb.contract.StageItems;
import dev.ebb.contract.StageItems.Item;
import dev.ebb.ui.page.Page;
import dev.ebb.ui.page.Sample;
import dev.ebb.ui.svg.ProgressBar;
import dev.ebb.ui.words.Url;
import dev.ebb.ui.words.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation as its page shows it.
 *
 * @param group of dead letters that its search names; {@code null} for none
 * @param looked the stage whose jobs are shown
 * @param items some jobs of that stage
 * @param samples of those, some with their last attempts
 */
public record OperationModel(
    Operation operation,
    Instant now,
    @Nullable NamedGroup group,
    int looked,
    List<Item> items,
    List<Sample> samples) {
  private static final String ITEMS = "20";
  private static final int SAMPLES = 3;

  /** Without jobs. */
  public OperationModel(Operation operation, Instant now) {
    this(operation, now, null, 0, List.of(), List.of());
  }

  /** With jobs of its stage or, before that has begun, of the one before. */
  static OperationModel read(Page page, Operation operation) {
    NamedGroup group = NamedGroup.read(page, operation.query());
    int stage = operation.stages() == null || operation.stage() == null ? 0 : operation.stage();
    for (int looked = stage; looked > 0 && looked >= stage - 1; looked--) {
      List<Item> items = items(page, operation, looked);
      if (!items.isEmpty()) {
        return new OperationModel(
            operation, page.now(), group, looked, items, samples(page, operation, items));
      }
    }
    return new OperationModel(operation, page.now(), group, 0, List.of(), List.of());
  }

  private static List<Item> items(Page page, Operation operation, int stage) {
    String path = "/v1/operations/" + operation.id() + "/items";
    String number = Integer.toString(stage);
    return page.get(StageItems.class, Url.of(path, "stage", number, "limit", ITEMS)).items();
  }

  /** How a job ended, as a style. */
  public static String look(Item item) {
    String outcome = item.outcome();
    return "succeeded".equals(outcome) ? "completed" : outcome == null ? "" : outcome;
  }

  /** Of an operation that does not run, also those whose attempts it looks for no more. */
  private static List<Sample> samples(Page page, Operation operation, List<Item> items) {
    return items.stream()
        .filter(item -> item.outcome() != null || !operation.isRunning())
        .limit(SAMPLES)
        .flatMap(item -> Sample.find(page, item.job()).stream())
        .toList();
  }

  /** The name of the stage whose jobs are shown. */
  public String lookedName() {
    int stages = operation.stages() == null ? 0 : operation.stages().size();
    return looked > stages ? "the rest" : "stage " + looked;
  }

  /**
   * A stage of it.
   *
   * @param size how many jobs it takes; {@code null} for the rest where that is not known
   * @param state done, now, paused or next
   */
  public record Stage(int number, @Nullable Long size, boolean rest, String state) {}

  /** What it does, and to how many. */
  public String title() {
    String action = operation.action().replace("set_priority", "set the priority of");
    return action.substring(0, 1).toUpperCase(Locale.ROOT)
        + action.substring(1)
        + " "
        + Words.counted(operation.matched(), operation.matchedExact(), "job")
        + (operation.priority() == null ? "" : " to " + operation.priority());
  }

  /** Its stages and, behind them, the rest; none if it has none. */
  public List<Stage> stages() {
    List<Integer> sizes = operation.stages();
    if (sizes == null) {
      return List.of();
    }
    List<Stage> stages = new ArrayList<>();
    long rest = operation.matched();
    for (int size : sizes) {
      if (rest <= 0) {
        return stages;
      }
      stages.add(stage(stages.size() + 1, Math.min(size, rest), false));
      rest -= size;
    }
    if (rest > 0) {
      stages.add(stage(stages.size() + 1, rest, true));
    }
    return stages;
  }

  private Stage stage(int number, long size, boolean rest) {
    int at = Objects.requireNonNullElse(operation.stage(), 1);
    boolean over = number < at || operation.state().equals("completed");
    boolean now = number == at && (operation.isRunning() || operation.isPaused());
    String state = over ? "done" : !now ? "next" : operation.isPaused() ? "paused" : "now";
    return new Stage(number, size, rest, state);
  }

  /** How far it has come, as a drawing. */
  public String bar() {
    return ProgressBar.of(parts(), Math.max(operation.matched(), upon()));
  }

  /** What the drawing shows. */
  public List<ProgressBar.Part> parts() {
    if (operation.succeeded() == null || operation.failed() == null) {
      return List.of(
          new ProgressBar.Part("Done", "good", operation.done()),
          new ProgressBar.Part("Skipped", "skipped", operation.skipped()),
          new ProgressBar.Part("Left", "left", operation.left()));
    }
    String unjudged = operation.endedAt() == null ? "Started" : "Unknown";
    return List.of(
        new ProgressBar.Part("Succeeded", "good", operation.succeeded()),
        new ProgressBar.Part("Failed", "bad", operation.failed()),
        new ProgressBar.Part(unjudged, "info", unjudged()),
        new ProgressBar.Part("Skipped", "skipped", operation.skipped()),
        new ProgressBar.Part("Left", "left", operation.left()));
  }

  /** How many of the jobs done have no next attempt that succeeded or failed as far as it knows. */
  public long unjudged() {
    long succeeded = Objects.requireNonNullElse(operation.succeeded(), 0L);
    long failed = Objects.requireNonNullElse(operation.failed(), 0L);
    return Math.max(0, operation.done() - succeeded - failed);
  }

  private long upon() {
    return operation.done() + operation.skipped();
  }

  /** How much of it is over. */
  public double share() {
    long all = Math.max(operation.matched(), upon());
    return all == 0 ? 1 : (double) upon() / all;
  }

  /** How long it still takes, in words. */
  public String timeLeft() {
    if (operation.timeLeft(now) == null) {
      return "–";
    }
    boolean least = operation.ratePerSecond() != null;
    return (least ? "at least " : "~") + Words.length(operation.timeLeft(now));
  }

  /** At which rate it goes at most, in words. */
  public String rate() {
    Double rate = operation.ratePerSecond();
    if (rate == null) {
      return "no limit";
    }
    return rate >= 1
        ? Words.trimmed(rate) + " a second"
        : rate * 60 >= 1
            ? Words.trimmed(rate * 60) + " a minute"
            : Words.trimmed(rate * 3_600) + " an hour";
  }
}
