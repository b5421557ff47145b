package dev.ebb.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ebb.db.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class SecretFileTest {
  private static final Path NO_SECRETS = Path.of("/no/secrets");

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void write() throws IOException {
    allow(folder, "rwxr-xr-x");
    path = Files.writeString(folder.resolve("password"), "hush");
  }

  private static void allow(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @ParameterizedTest
  @CsvSource({
    "rw-r--r--, rwxr-xr-x, true",
    "r--r--r--, rwx--x--x, true",
    "rw-------, rwxr-xr-x, false",
    "rw-r-----, rwxr-xr-x, false",
    "rw-r--r--, rwx------, false"
  })
  void a_file_is_open_where_others_may_read_it_and_get_there(
      String ofFile, String ofFolder, boolean open) throws IOException {
    allow(path, ofFile);
    allow(folder, ofFolder);

    assertThat(new SecretFile(path).isOpen(NO_SECRETS)).isEqualTo(open);
  }

  @Test
  void a_link_is_as_open_as_what_it_leads_to() throws IOException {
    allow(path, "rw-------");
    Path link = Files.createSymbolicLink(folder.resolve("link"), path);

    assertThat(new SecretFile(link).isOpen(NO_SECRETS)).isFalse();
    allow(path, "rw-r--r--");
    assertThat(new SecretFile(link).isOpen(NO_SECRETS)).isTrue();
  }

  @Test
  void a_containers_secrets_are_not_open() throws IOException {
    allow(path, "r--r--r--");

    assertThat(new SecretFile(path).isOpen(folder.toRealPath())).isFalse();
  }

  @Test
  void a_file_that_is_gone_is_not_open() {
    assertThat(new SecretFile(folder.resolve("none")).isOpen()).isFalse();
  }

  @Test
  void an_open_file_is_warned_of_with_its_remedy() throws Exception {
    allow(path, "rw-r--r--");
    assertThat(warnings())
        .containsExactly("other users can read %1$s: chmod 600 %1$s".formatted(path));

    allow(path, "rw-------");
    assertThat(warnings()).isEmpty();
  }

  private List<String> warnings() throws Exception {
    SecretFile file =
        Settings.read(Map.of("EBB_DB_PASSWORD_FILE", path.toString())).secretFiles().getFirst();
    // Another test may have begun to log in this moment.
    Await.until("there is a log", () -> LoggerFactory.getLogger("") instanceof Logger);
    Logger log = (Logger) LoggerFactory.getLogger(SecretFile.class);
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    log.addAppender(events);
    log.setAdditive(false);
    try {
      file.warnIfOpen();
    } finally {
      log.setAdditive(true);
      log.detachAppender(events);
    }
    return events.list.stream()
        .filter(event -> event.getThreadName().equals(Thread.currentThread().getName()))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
