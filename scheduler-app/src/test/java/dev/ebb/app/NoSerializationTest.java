package dev.ebb.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The program reads no Java objects. It decides so for its process, so each test has one. */
class NoSerializationTest {
  /** Reads an object, before the program runs or after. */
  static final class Reading {
    private Reading() {}

    public static void main(String[] arguments) throws Exception {
      if (arguments.length > 0) {
        Program.run(() -> {});
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(new HashSet<>(List.of("a")));
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        System.out.println("read " + in.readObject());
      } catch (InvalidClassException refused) {
        System.out.println("refused");
      }
    }
  }

  private static String reading(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Reading.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(said).isZero();
    return said.lines().toList().getLast();
  }

  @Test
  void an_object_is_refused_once_the_program_runs() throws Exception {
    assertThat(reading("run")).isEqualTo("refused");
  }

  @Test
  void control_it_would_be_read() throws Exception {
    assertThat(reading()).isEqualTo("read [a]");
  }
}
