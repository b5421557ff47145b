package dev.ebb.db.schema;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the tested module consists of: of a folder in a test, of a jar once it is packed. */
final class Packaged {
  private Packaged() {}

  /** The names of its files, from its root. */
  static List<String> names() throws IOException, URISyntaxException {
    Path location =
        Path.of(Migrations.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(location)) {
      return names(location);
    }
    try (FileSystem jar = FileSystems.newFileSystem(location)) {
      return names(jar.getPath("/"));
    }
  }

  private static List<String> names(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .toList();
    }
  }
}
