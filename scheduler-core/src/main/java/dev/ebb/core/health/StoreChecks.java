package dev.ebb.core.health;

import static dev.ebb.core.health.Theme.WORK;

import dev.ebb.core.Moment;
import dev.ebb.core.health.StoreHealth.Refused;
import java.util.Map;

/** Judges whether a process can store, while it reads as ever. */
final class StoreChecks {
  private static final String CODE = "storing";

  private static final String LOOK = "See the server's log.";

  /** What to do, by SQLSTATE. */
  private static final Map<String, String> ADVICE =
      Map.of(
          "53100",
          "Make room on the server's disk, or enlarge it. Nodes go on by themselves.",
          "53300",
          "Lower EBB_DB_POOL, put a pooling proxy in between, or raise max_connections.",
          "25006",
          "Let EBB_DB_URL name the primary, or take back default_transaction_read_only.",
          "42501",
          "Grant the role its rights again: docker/postgres/10-roles.sql lists them.",
          "",
          "If commits wait for a synchronous standby, bring it back: failover_loss says how to go"
              + " on without it. Otherwise look at the server's disk.");

  private StoreChecks() {}

  static Finding of(Part<StoreHealth> health) {
    if (!health.isRead()) {
      return Finding.unknown(
          CODE,
          WORK,
          "Whether the database stores anything is not known here: " + health.why() + ".",
          "Submit a job, and load this again.");
    }
    Refused refused = health.get().refused();
    return Finding.of(
            CODE,
            WORK,
            refused == null ? Verdict.OK : Verdict.BAD,
            refused == null
                ? "The database stores what this process writes."
                : "The database stores nothing of this process since %s: %s."
                    .formatted(Moment.words(refused.since()), refused.why()),
            "Bad if the last job was refused in the last 30 s, or a commit waits for over 2 s.")
        .mend(refused == null ? "" : ADVICE.getOrDefault(refused.state(), LOOK));
  }
}
