package dev.ebb.bench.contender;

import dev.ebb.bench.machine.Target;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A system that is measured. */
public enum Entrant {
  EBB("ebb", "Ebb", Sizes.FAST, EbbContender::new),
  EBB_LABELS("ebb-labels", "Ebb, with labels", Sizes.FAST, EbbContender::labelled),
  EBB_SQL("ebb-sql", "Ebb, by SQL", Sizes.MIDDLE, EbbContender::bySql),
  FLOOR("floor", "bare JDBC", Sizes.FAST, FloorContender::new),
  DB_SCHEDULER("db-scheduler", "db-scheduler", Sizes.MIDDLE, DbSchedulerContender::new),
  JOBRUNR("jobrunr", "JobRunr", Sizes.SLOW, JobRunrContender::new),
  QUARTZ("quartz", "Quartz", Sizes.SLOWEST, QuartzContender::new),
  GRAPHILE("graphile-worker", "graphile-worker", Sizes.SLOW, GraphileContender::new);

  /**
   * How many jobs each workload gives it, so that a measurement takes seconds.
   *
   * @param drain of the workloads drain and drain-2
   * @param singles submitted one by one
   * @param bulk submitted in bulk
   * @param storm of the retry storm
   * @param parked beside the due ones
   * @param due among the parked ones
   * @param turns how often the due ones are run in either order, among the parked ones and alone
   */
  public record Sizes(int drain, int singles, int bulk, int storm, int parked, int due, int turns) {
    static final Sizes FAST = new Sizes(500_000, 100_000, 500_000, 10_000, 1_000_000, 10_000, 10);
    static final Sizes MIDDLE = new Sizes(50_000, 20_000, 100_000, 10_000, 1_000_000, 10_000, 3);
    static final Sizes SLOW = new Sizes(45_000, 10_000, 50_000, 10_000, 100_000, 10_000, 2);
    static final Sizes SLOWEST = new Sizes(6_000, 2_000, 4_000, 1_000, 20_000, 1_000, 2);
  }

  private final String id;
  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // A record of numbers.
  private final Sizes sizes;

  @SuppressWarnings("ImmutableEnumChecker") // A constructor.
  private final Function<Target, Contender> maker;

  Entrant(String id, String title, Sizes sizes, Function<Target, Contender> maker) {
    this.id = id;
    this.title = title;
    this.sizes = sizes;
    this.maker = maker;
  }

  public static Entrant of(String id) {
    return Stream.of(values())
        .filter(entrant -> entrant.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(id + " is none of the systems " + ids()));
  }

  public static List<String> ids() {
    return Stream.of(values()).map(Entrant::id).toList();
  }

  /** Its name on the command line. */
  public String id() {
    return id;
  }

  /** Its name in the report. */
  public String title() {
    return title;
  }

  public Sizes sizes() {
    return sizes;
  }

  /** Whether it is Ebb and nothing beside. */
  public boolean isEbb() {
    return this == EBB || this == EBB_LABELS;
  }

  /**
   * Whether its jobs run in a process of another language: then only their latency is compared, and
   * only where that language is.
   */
  public boolean isForeign() {
    return this == GRAPHILE;
  }

  /** Whether this machine has what it needs. */
  public boolean isPossible() {
    return !isForeign() || GraphileContender.isPossible();
  }

  /** Whether it takes part wherever nothing else is said. */
  public boolean isPlain() {
    return !isLabelled() && !isForeign() && this != EBB_SQL;
  }

  /** Whether each of its jobs carries {@link Labels}. */
  public boolean isLabelled() {
    return this == EBB_LABELS;
  }

  public Contender contender(Target target) {
    return maker.apply(target);
  }
}
