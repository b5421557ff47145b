package dev.ebb.app;

import dev.ebb.app.settings.Settings;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** A program that logs a line of each level, one of them with a stack trace. */
final class LogLines {
  static final String SAID = "a \"quoted\" word, a line\nbreak and 5 €";

  private LogLines() {}

  public static void main(String[] args) {
    Logging.toConsole(Settings.read(Map.of("EBB_LOG_FORMAT", args[0], "EBB_LOG_LEVEL", args[1])));
    var log = LoggerFactory.getLogger("dev.ebb.Lines");
    log.debug("debug {}", SAID);
    log.info("info");
    log.warn("warn");
    log.error("error", new IllegalStateException(SAID, new IllegalArgumentException("cause")));
    LoggerFactory.getLogger("org.apache.hc.client5.http.wire").debug("a merchant's secret");
    java.util.logging.Logger.getLogger("org.apache.catalina").severe("severe");
  }
}
