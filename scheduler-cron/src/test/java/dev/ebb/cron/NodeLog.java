package dev.ebb.cron;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a node logs in this process. */
final class NodeLog implements AutoCloseable {
  private static final Path LEVELS =
      Path.of("../scheduler-app/src/main/resources/logback-levels.xml");

  /** Of the parts of a node, and not of the tools of a test. */
  private static final List<String> PARTS =
      List.of("dev.ebb", "org.quartz", "com.zaxxer", "org.postgresql");

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  private NodeLog(String levels) throws JoranException {
    String settings = "<configuration>" + levels + "<root level=\"INFO\"/></configuration>";
    configure(settings.getBytes(StandardCharsets.UTF_8));
    appender.setContext(context);
    appender.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
  }

  /** With the levels that the application has. */
  static NodeLog ofApplication() throws JoranException {
    return new NodeLog("<include file=\"" + LEVELS.toAbsolutePath().normalize() + "\"/>");
  }

  /** With all that Quartz says. */
  static NodeLog withQuartz() throws JoranException {
    return new NodeLog("");
  }

  private void configure(byte[] settings) throws JoranException {
    context.reset();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(new ByteArrayInputStream(settings));
  }

  /** Until now. */
  List<ILoggingEvent> events() {
    List<ILoggingEvent> events;
    synchronized (appender) {
      events = List.copyOf(appender.list);
    }
    return events.stream()
        .filter(event -> PARTS.stream().anyMatch(event.getLoggerName()::startsWith))
        .toList();
  }

  /** Back to the levels of tests. */
  @Override
  public void close() throws Exception {
    configure(NodeLog.class.getResourceAsStream("/logback-test.xml").readAllBytes());
  }
}
