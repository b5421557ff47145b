package dev.ebb.db.settle;

/** The beginning of a settle's transaction. */
final class SettleSettings {
  /**
   * The planner's settings keep a cached plan right, as a claim's do, and last as long as the
   * transaction. A plan for these very parameters would be made anew for each batch, which takes
   * longer than to settle a few jobs. Unlike a claim, a settle waits for the disk.
   */
  static final String BEGIN =
      """
      select
        set_config('lock_timeout', '250ms', true),
        set_config('plan_cache_mode', 'force_generic_plan', true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('enable_nestloop', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('jit', 'off', true);
      """;

  private SettleSettings() {}
}
