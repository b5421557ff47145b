package dev.ebb.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results as a page of Markdown. */
public final class Report {
  private static final String HEAD =
      """
      # Benchmarks

      This page and its plot are made whole by `./ebb bench`; the raw figures stand beside it in
      `benchmarks.json`, and `./ebb bench --report` makes the page again from them.

      ![Drain of no-op jobs: jobs per second and CPU per job, logarithmic](benchmarks.svg)

      """;

  private static final String HOW =
      """

      ## How to read it

      - Each system works in a process of its own on one PostgreSQL, each measurement in a fresh
        database. The systems take turns. A cell is the median of the rounds with their smallest and
        largest value; a ratio is taken within each round, and is the median of those.
      - **CPU per job is the figure to trust**: it adds what PostgreSQL and the node's process used,
        and other load on the machine changes it less than the wall time. Both drift with the
        machine's speed: compare them within a round. WAL, statements and rows are exact.
      - Before the measured part all tables are vacuumed and analysed, and no checkpoint falls into
        it: WAL is without full-page images. Dead rows are updates and deletes of all tables, TOAST
        tables included. A statement is one that the server executed, `begin` and `commit` included.
      - Every run of a job is counted by its handler. At the end the system's own tables must hold
        no unfinished job, and where they keep them (Ebb, JobRunr) exactly the successes and
        failures that there were; Ebb's also that each job has its attempts, numbered from one.
        What only stores jobs, or claims them beside others in flight, is checked by what is
        stored. A round in which a job ran too often, too seldom or not in time is shown as
        failed, and its figures are left out.
      - bare JDBC is the yardstick, not a scheduler: a claim by UPDATE, a DELETE at the end, no
        history, no leases, no rescue; two threads that run the jobs themselves. Its claims do not
        wait for the disk, as Ebb's do not; its submits and deletes do.
      - The window begins when the nodes are told to start, and ends when the last job is settled:
        what a system sets up then is in it (JobRunr about a second), and so are the few looks of
        the harness into its tables. A slow system gets fewer jobs (first column), so that a
        measurement takes seconds; start and end then weigh more. Percentiles are of what somebody
        waits for. A submit notifies in `submit-single`, where no node listens.
      - Each node has `-Xmx512m`, but where a workload says otherwise. Most workloads are done
        once, unmeasured, right before their first round, with as many jobs as are measured later;
        bulk submits with three times as many. The rounds of one comparison follow one another, so
        that a JVM compiles little in them; their spread is that of minutes, and in another hour the
        machine may be twice as fast.
      """;

  private final Results results;
  private final Medians medians;
  private final Map<String, String> titles;

  private Report(Results results, Map<String, String> titles) {
    this.results = results;
    this.medians = new Medians(results.measurements());
    this.titles = titles;
  }

  /**
   * Makes the page.
   *
   * @param titles of the systems and of the workloads, by id, in the order in which they are shown
   */
  public static String markdown(Results results, Map<String, String> titles) {
    return new Report(results, titles).page();
  }

  /** Makes the plot of the drain. */
  public static String svg(Results results, Map<String, String> titles) {
    return Plot.of(new Medians(results.measurements()), titles);
  }

  private String page() {
    String tables =
        titles.keySet().stream()
            .filter(medians.workloads()::contains)
            .map(this::section)
            .collect(Collectors.joining());
    return HEAD + goals() + tables + HOW + facts();
  }

  private String goals() {
    String rows = Goal.all(medians).stream().map(Report::row).collect(Collectors.joining());
    return """
    ## Goals

    | Ebb | goal | reached | |
    | --- | --- | --- | --- |
    %s
    What was tried for the goals that are not reached, and what the profiles say:
    [ADR 003](adr/003-group-commit.md) for submits, [ADR 004](adr/004-scan-cursors.md) for
    drains, nodes and parked jobs, [ADR 005](adr/005-limiter.md) for limits.
    """
        .formatted(rows);
  }

  private static String row(Goal goal) {
    String reached = goal.value().map(range -> range.text(goal.decimals())).orElse("–");
    String bound = plain(goal.bound());
    String verdict = verdict(goal);
    return "| %s | %s %s | %s | %s |%n"
        .formatted(
            goal.sentence(), goal.atLeast() ? "at least" : "at most", bound, reached, verdict);
  }

  private static String verdict(Goal goal) {
    if (goal.failed()) {
      return "**failed**";
    }
    return goal.value().isEmpty() ? "not measured" : goal.isReached() ? "yes" : "**no**";
  }

  private static String plain(double bound) {
    return bound == Math.rint(bound) ? Range.number(bound, 0) : Double.toString(bound);
  }

  private String section(String workload) {
    List<String> entrants =
        titles.keySet().stream().filter(medians.entrants(workload)::contains).toList();
    List<Figure> figures =
        Stream.of(Figure.values())
            .filter(figure ->
                entrants.stream()
                    .anyMatch(entrant -> medians.range(workload, entrant, figure).isPresent()))
            .toList();
    String head = figures.stream().map(Figure::title).collect(Collectors.joining(" | "));
    String rows =
        entrants.stream()
            .map(entrant -> row(workload, entrant, figures))
            .collect(Collectors.joining());
    return """

    ## %s

    %s Rounds: %s.

    | | %s |
    | --- |%s
    %s\
    """
        .formatted(
            workload,
            titles.get(workload),
            medians.rounds(workload),
            head,
            " ---: |".repeat(figures.size()),
            rows);
  }

  private String row(String workload, String entrant, List<Figure> figures) {
    String cells =
        figures.stream()
            .map(figure ->
                medians
                    .range(workload, entrant, figure)
                    .map(range -> range.text(figure.decimals()))
                    .orElse("–"))
            .collect(Collectors.joining(" | "));
    return "| %s%s | %s |%n".formatted(titles.get(entrant), failures(workload, entrant), cells);
  }

  private String failures(String workload, String entrant) {
    List<Measurement> rounds = medians.of(workload, entrant);
    List<String> failed =
        rounds.stream().map(Measurement::failure).filter(Objects::nonNull).toList();
    return failed.isEmpty()
        ? ""
        : " **failed in %s of %s rounds: %s**"
            .formatted(failed.size(), rounds.size(), failed.getFirst().replace("|", "/"));
  }

  private String facts() {
    String rows =
        results.facts().entrySet().stream()
            .map(fact -> "| %s | %s |%n".formatted(fact.getKey(), fact.getValue()))
            .collect(Collectors.joining());
    return """

    ## Where and how it was measured

    | | |
    | --- | --- |
    %s\
    """
        .formatted(rows);
  }
}
