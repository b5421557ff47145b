package dev.ebb.db.stats;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection whose process dies before one of its statements, or before its commit. */
public final class DyingConnection {
  private DyingConnection() {}

  /** One that dies before the statement of that number, counted from 0. */
  public static Connection before(int statement, Connection connection) {
    AtomicInteger statements = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            DyingConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && statements.getAndIncrement() == statement) {
                connection.close();
                throw new SQLException("died", "08006");
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
