package dev.ebb.demo.browser;

/** The record of fires that a schedule has after a while: of each kind some. */
final class PastFires {
  private PastFires() {}

  /** Adds them, so far apart. Their jobs are those of the story that ended last. */
  static void add(Cluster cluster, String schedule, String apart) {
    cluster.execute(
        """
        with job as (
          select row_number() over (order by dead desc, id) as n, id
          from (
            (select false as dead, id from ebb.history order by ended_at desc limit 24)
            union all
            (select true, id from ebb.dead_letter order by died_at desc limit 2)
          ) ended
        )
        insert into ebb.schedule_fire (
          schedule, fire_at, fired_at, result, missed, job_id, node, error)
        select '%s', t, t + k %% 5 * interval '9 ms',
          case k
            when 5 then 'overlapped' when 11 then 'misfired' when 12 then 'misfired'
            when 19 then 'refused' else 'submitted' end,
          case k when 11 then 38 else 0 end,
          case when k in (5, 11, 12, 19) then null
            else (select j.id from job j where j.n = (k * 7) %% 26 + 1) end,
          'node-' || (k %% 2 + 1),
          case k when 19 then 'the queue''s row is locked' end
        from generate_series(1, 30) as k
        cross join lateral (select date_trunc('minute', now()) - (k + 1) * interval '%s' as t) fire
        on conflict do nothing
        """
            .formatted(schedule, apart));
  }
}
