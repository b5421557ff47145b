package dev.ebb.core.health;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Judges everything that is known of a database, for pages, scripts and the doctor alike. */
public final class Checkup {
  private Checkup() {}

  /** Of the server, whatever is stored in it. */
  public static List<Finding> of(ServerHealth server) {
    List<Finding> found = new ArrayList<>(new SnapshotChecks(server).all());
    found.addAll(VacuumChecks.ofServer(server.server()));
    found.addAll(new DurabilityChecks(server).all());
    found.add(WorkChecks.connections(server.server()));
    return found;
  }

  /** Of the schema, at that time by the database's clock. */
  public static List<Finding> of(SchemaHealth schema, Instant now) {
    List<Finding> found = new ArrayList<>(VacuumChecks.ofTables(schema.tables(), now));
    found.addAll(StorageChecks.all(schema));
    found.addAll(WorkChecks.ofSchema(schema));
    found.addAll(ScheduleChecks.all(schema.schedules()));
    return found;
  }

  /** Of the claims of a process. */
  public static Finding of(Part<ClaimTimes> claims) {
    return WorkChecks.claims(claims);
  }

  /** Of what became of the writes of a process. */
  public static Finding ofStoring(Part<StoreHealth> storing) {
    return StoreChecks.of(storing);
  }
}
