package dev.ebb.db.access;

import dev.ebb.core.access.AccessToken;
import dev.ebb.core.access.Act;
import dev.ebb.core.access.LinkToken;
import dev.ebb.db.audit.Audit;
import dev.ebb.db.audit.Changes;
import dev.ebb.db.connection.Database;
import dev.ebb.db.connection.Rows;
import dev.ebb.db.connection.Statements;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes, finds, lists and revokes links that show one job's story without a token. */
public final class JobLinks {
  /** How many of a job may be live at a time. */
  public static final int MOST = 20;

  /** Deleted at once. */
  private static final int PIECE = 1_000;

  private static final SecureRandom RANDOM = new SecureRandom();

  private static final String CREATE =
      """
      insert into ebb.job_link (id, job_id, hash, created_by, expires_at)
      select ?, ?, ?, ?, now() + ?::interval
      where (
        select count(*) from ebb.job_link
        where job_id = ? and revoked_at is null and expires_at > now()) < ?
      returning *
      """;

  private static final String LIVE =
      """
      select * from ebb.job_link
      where id = ? and revoked_at is null and expires_at > now()
      """;

  private static final String LIST =
      """
      select * from ebb.job_link
      where job_id = ? and revoked_at is null and expires_at > now()
      order by created_at desc, id
      """;

  private static final String REVOKE =
      """
      update ebb.job_link
      set revoked_at = now()
      where id = ? and job_id = ? and revoked_at is null and expires_at > now()
      """;

  private static final String PRUNE =
      """
      delete from ebb.job_link
      where id = any (array(
        select id
        from ebb.job_link
        where least(revoked_at, expires_at) < now() - interval '30 days'
        limit ?))
      """;

  private final Database database;

  public JobLinks(Database database) {
    this.database = database;
  }

  /**
   * A link that was just made.
   *
   * @param text its secret with its id; it is shown once and stored nowhere
   */
  public record Made(String text, JobLink link) {
    /** Without the text. */
    @Override
    public String toString() {
      return "Made[" + link + "]";
    }
  }

  /** A link as its row has it. */
  private record Row(JobLink link, String hash) {}

  /** Makes a link to a job that exists; empty if {@value #MOST} of them are live. */
  public Optional<Made> create(UUID job, Duration lifetime, Act act) throws SQLException {
    byte[] random = new byte[AccessToken.BYTES];
    RANDOM.nextBytes(random);
    String text = LinkToken.text(random);
    return database.inTransaction(connection -> {
      Row made =
          Statements.first(
              connection,
              CREATE,
              p ->
                  p.text(LinkToken.id(text).orElseThrow())
                      .id(job)
                      .text(AccessToken.hash(text))
                      .text(act.actor())
                      .text(lifetime.toString())
                      .id(job)
                      .integer(MOST),
              JobLinks::row);
      if (made == null) {
        return Optional.empty();
      }
      Changes changes =
          new Changes()
              .add("link", null, made.link().id())
              .add("expiresAt", null, made.link().expiresAt());
      Audit.write(connection, act, "job.share", job.toString(), changes);
      return Optional.of(new Made(text, made.link()));
    });
  }

  /** The live link of that text. */
  public Optional<JobLink> find(String text) throws SQLException {
    String id = LinkToken.id(text).orElse(null);
    if (id == null) {
      return Optional.empty();
    }
    Optional<Row> live =
        database.inAutocommit(connection ->
            Optional.ofNullable(
                Statements.first(connection, LIVE, p -> p.text(id), JobLinks::row)));
    return live.filter(row -> AccessToken.isSame(row.hash(), AccessToken.hash(text)))
        .map(Row::link);
  }

  /** The live links of a job, the newest first. */
  public List<JobLink> list(UUID job) throws SQLException {
    return database.inAutocommit(
        connection -> Statements.list(connection, LIST, p -> p.id(job), row -> row(row).link()));
  }

  /** Ends a live link of that job; false if there is none of this id. */
  public boolean revoke(UUID job, String id, Act act) throws SQLException {
    return database.inTransaction(connection -> {
      boolean isRevoked = Statements.update(connection, REVOKE, p -> p.text(id).id(job)) == 1;
      if (isRevoked) {
        Changes changes = new Changes().add("link", id, null);
        Audit.write(connection, act, "job.unshare", job.toString(), changes);
      }
      return isRevoked;
    });
  }

  /** Deletes links that ended 30 days ago, and answers whether there may be more of them. */
  public boolean prune() throws SQLException {
    return database.inAutocommit(
            connection -> Statements.update(connection, PRUNE, p -> p.integer(PIECE)))
        == PIECE;
  }

  private static Row row(ResultSet row) throws SQLException {
    JobLink link =
        new JobLink(
            row.getString("id"),
            row.getObject("job_id", UUID.class),
            row.getString("created_by"),
            Rows.instant(row, "created_at"),
            Rows.instant(row, "expires_at"));
    return new Row(link, row.getString("hash"));
  }
}
