package dev.ebb.cron;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.spi.OperableTrigger;

/**
 * Quartz's statements for PostgreSQL, without those that keep Java objects: it writes none, and
 * what somebody else wrote where it would keep some is not read. Quartz makes it by its name.
 */
public final class TextDelegate extends PostgreSQLDelegate {
  @Override
  protected @Nullable Object getObjectFromBlob(ResultSet row, String column) throws IOException {
    throw refused("column " + column);
  }

  @Override
  public @Nullable Calendar selectCalendar(Connection connection, String name) throws IOException {
    throw refused("calendar " + name);
  }

  @Override
  public boolean calendarExists(Connection connection, String name) {
    return false;
  }

  @Override
  public int insertBlobTrigger(Connection connection, OperableTrigger trigger) throws IOException {
    throw refused("trigger " + trigger.getKey());
  }

  @Override
  public int updateBlobTrigger(Connection connection, OperableTrigger trigger) throws IOException {
    throw refused("trigger " + trigger.getKey());
  }

  private static IOException refused(String what) {
    return new IOException("Ebb keeps no Java objects in the database: " + what + " is not read");
  }
}
