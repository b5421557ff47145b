package dev.ebb.api.jobs.submit;

import dev.ebb.api.jobs.submit.BatchPart.Refused;
import dev.ebb.api.jobs.submit.BatchPart.Wanted;
import dev.ebb.api.jobs.submit.BatchPart.Written;
import dev.ebb.api.problem.ProblemWriter;
import dev.ebb.api.problem.Refusal;
import dev.ebb.api.problem.RefusalCause;
import dev.ebb.contract.Problem;
import dev.ebb.core.job.NewJob;
import dev.ebb.db.submit.Submitted;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A batch of which each job stands for itself.
 *
 * <pre>
 *   read ──▶ room in its queue? ──▶ stored, all in one transaction ──▶ an item for each place
 *    │                │                          │                                ▲
 *    └────────────────┴──── refused, alone ──────┴────────────────────────────────┘
 * </pre>
 *
 * @param parts by their places in the body
 */
record PartialBatch(List<BatchPart> parts) {

  PartialBatch {
    parts = List.copyOf(parts);
  }

  /** The same, of whose jobs those are refused that have a reason. */
  PartialBatch without(Function<Wanted, Optional<Refusal>> reason) {
    return each(wanted ->
        reason
            .apply(wanted)
            .<BatchPart>map(refusal -> new Refused(refusal.problem()))
            .orElse(wanted));
  }

  /** The same once its jobs are written; an answer for each of them, in their order. */
  PartialBatch written(List<Submitted> submitted) {
    Iterator<Submitted> next = submitted.iterator();
    return each(wanted -> wanted.written(next.next()));
  }

  private PartialBatch each(Function<Wanted, BatchPart> become) {
    List<BatchPart> changed = new ArrayList<>(parts.size());
    for (BatchPart part : parts) {
      changed.add(part instanceof Wanted wanted ? become.apply(wanted) : part);
    }
    return new PartialBatch(changed);
  }

  /** Its jobs that are to be stored. */
  List<NewJob> jobs() {
    return parts.stream()
        .flatMap(part -> part instanceof Wanted wanted ? Stream.of(wanted.job()) : Stream.of())
        .toList();
  }

  /** What became of its jobs that were not refused. */
  List<Submitted> submitted() {
    return parts.stream()
        .flatMap(part ->
            part instanceof Written(Submitted submitted) ? Stream.of(submitted) : Stream.of())
        .toList();
  }

  /** Its jobs that were not refused when they were written, as {@link #submitted} answers for. */
  List<NewJob> jobsOf(PartialBatch written) {
    return IntStream.range(0, parts.size())
        .filter(i -> written.parts.get(i) instanceof Written)
        .mapToObj(parts::get)
        .map(part -> ((Wanted) part).job())
        .toList();
  }

  boolean isRefusedSomewhere() {
    return parts.stream().anyMatch(Refused.class::isInstance);
  }

  /**
   * An item for each place.
   *
   * @param path of the request, which its problems name
   * @param others the items of those that are not refused, in their order
   * @param refused makes the item of one that is
   */
  <T> List<T> items(String path, List<T> others, Function<Problem, T> refused) {
    Iterator<T> next = others.iterator();
    List<T> items = new ArrayList<>(parts.size());
    for (BatchPart part : parts) {
      items.add(
          part instanceof Refused(RefusalCause problem)
              ? refused.apply(ProblemWriter.body(problem, path))
              : next.next());
    }
    return items;
  }
}
