package dev.ebb.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StartTest {
  /** Of class files, for Java 17. */
  private static final int JAVA_17 = 61;

  @Test
  void on_an_older_java_it_says_in_one_sentence_what_ebb_needs() {
    assertThat(Start.refusal(Runtime.Version.parse("17.0.15+6"), "/opt/jdk-17"))
        .isEqualTo(
            "Ebb needs Java 25 or newer, and /opt/jdk-17 is Java 17: install a newer one (for"
                + " example Temurin 25 from https://adoptium.net).");
    assertThat(Start.refusal(Runtime.Version.parse("24"), "/opt/jdk-24")).isNotEmpty();
    assertThat(Start.refusal(Runtime.Version.parse("25"), "/opt/jdk-25")).isEmpty();
  }

  @Test
  void it_can_be_loaded_there_and_others_cannot() throws IOException {
    assertThat(majorVersion(Start.class)).isEqualTo(JAVA_17);
    assertThat(majorVersion(Ebb.class)).isGreaterThan(JAVA_17);
  }

  private static int majorVersion(Class<?> type) throws IOException {
    String file = type.getSimpleName() + ".class";
    try (InputStream bytes = Objects.requireNonNull(type.getResourceAsStream(file))) {
      DataInputStream data = new DataInputStream(bytes);
      data.readInt();
      data.readUnsignedShort();
      return data.readUnsignedShort();
    }
  }
}
