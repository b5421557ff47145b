package dev.ebb.demo.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of the repository that this module stands in. */
final class Repository {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", "node_modules");

  private Repository() {}

  /** The modules' own; what measured a decision in docs is not part of the house. */
  static List<Source> javaSources() {
    return texts()
        .filter(source -> source.path().contains("/src/") && source.path().endsWith(".java"))
        .toList();
  }

  /** Every file that is UTF-8. */
  static Stream<Source> texts() {
    return below(ROOT).flatMap(Repository::read);
  }

  private static Stream<Path> below(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> !NOT_OURS.contains(String.valueOf(entry.getFileName())))
          .sorted()
          .toList()
          .stream()
          .flatMap(entry -> Files.isDirectory(entry) ? below(entry) : Stream.of(entry));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Stream<Source> read(Path file) {
    try {
      return Stream.of(new Source(ROOT.relativize(file).toString(), Files.readString(file)));
    } catch (MalformedInputException picture) {
      return Stream.empty();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
