package dev.ebb.db.event;

/**
 * Clauses with which a statement that settles tells what it does. They stand beside its writes, in
 * its {@code with}, and cost it a look at a row while nobody listens.
 */
public final class EventClauses {
  private static final String LISTENED =
      "exists (select from ebb.listening where listened_until > now())";

  private EventClauses() {}

  /**
   * Tells of the jobs of {@code from}, which has the columns of a job, that they have completed.
   *
   * @param endedAt an expression
   */
  public static String completed(String from, String endedAt) {
    return """
    insert into ebb.event (
      what, id, at, outcome, attempt, queue, kind, created_at, unique_key, labels,
      destination)
    select
      'ended', id, %s, 'completed', attempt + 1, queue, kind, created_at, unique_key, labels,
      destination
    from %s
    where %s
    """
        .formatted(endedAt, from, LISTENED);
  }

  /**
   * Tells of the failed attempts of {@code from}, which has the columns id, number, outcome,
   * failure_reason, failure and told, which is null or stands for the outcome, and whose jobs are
   * still among the live ones.
   *
   * @param endedAt an expression
   */
  public static String attempted(String from, String endedAt) {
    return """
    insert into ebb.event (
      what, id, at, outcome, attempt, reason, error,
      queue, kind, created_at, unique_key, labels, destination)
    select
      'attempt', a.id, %1$s, coalesce(a.told, a.outcome), a.number,
      a.failure_reason, a.failure, j.queue, j.kind, j.created_at, j.unique_key, j.labels,
      j.destination
    from %2$s a
    join ebb.job j on j.id = a.id and j.id = any (array(select id from %2$s))
    where %3$s
    """
        .formatted(endedAt, from, LISTENED);
  }
}
