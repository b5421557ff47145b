package dev.ebb.core.health;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the schema and its rows tell. */
public record SchemaHealth(
    Part<List<Table>> tables,
    Part<List<Partitions>> partitions,
    Part<List<Due>> due,
    Part<List<Clock>> clocks,
    Part<Schedules> schedules,
    Part<Start> start) {

  /**
   * The cluster's start.
   *
   * @param pausedSince {@code null} while it is not paused
   * @param pausedBy the setting or the command; {@code null} while it is not paused
   */
  public record Start(@Nullable Instant pausedSince, @Nullable String pausedBy) {}

  /**
   * A table, or all partitions of one.
   *
   * @param bytes without indexes; {@code null} while somebody keeps everybody out of it
   * @param vacuumFrom so many dead rows on, autovacuum comes
   * @param vacuumable whether autovacuum may come at all
   */
  public record Table(
      String name,
      int parts,
      @Nullable Long bytes,
      @Nullable Long indexBytes,
      long live,
      long dead,
      long vacuumFrom,
      boolean vacuumable,
      @Nullable Instant vacuumedAt,
      @Nullable Instant analyzedAt) {}

  /**
   * The partitions of a table by time.
   *
   * @param days whether each is a day; otherwise a month
   * @param ahead how many days or months after the present one are there; negative if that is not
   * @param rest rows, by estimate, that found no partition
   */
  public record Partitions(
      String table,
      boolean days,
      int count,
      @Nullable LocalDate oldest,
      @Nullable LocalDate newest,
      int ahead,
      long rest) {}

  /** A queue whose oldest due job waits since then. */
  public record Due(String queue, Duration age, boolean paused) {}

  /** The clock of a node that lives, less the database's. */
  public record Clock(String node, Duration skew) {}

  /**
   * The schedules, and what Quartz keeps for them.
   *
   * @param awaited whether one that is not paused has a next fire
   * @param late the one that should have fired before all others, and has not
   * @param halted triggers, and groups of them, that Quartz does not fire
   * @param missing a fire to come that has had no trigger for a while
   * @param checkIns of the nodes that fire, and of those that died lately
   */
  public record Schedules(
      boolean awaited,
      @Nullable Late late,
      int halted,
      @Nullable Instant missing,
      List<CheckIn> checkIns) {

    public Schedules {
      checkIns = List.copyOf(checkIns);
    }
  }

  /** A schedule that is due since then. */
  public record Late(String schedule, Duration age) {}

  /**
   * The last time that a node told Quartz's tables that it lives, by its own clock.
   *
   * @param age by the database's clock; negative if it lies in the future
   * @param lives whether its heartbeat says that it lives
   */
  public record CheckIn(String node, Duration age, boolean lives) {}
}
