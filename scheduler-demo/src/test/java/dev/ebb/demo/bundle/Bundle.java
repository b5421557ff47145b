package dev.ebb.demo.bundle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** An executable jar with the libraries inside. */
record Bundle(Path jar) {
  static final Bundle PRODUCTION = new Bundle(Path.of("../scheduler-app/target/ebb.jar"));
  static final Bundle DEMO = new Bundle(Path.of("target/ebb-demo.jar"));

  private static final String LIBRARIES = "BOOT-INF/lib/";

  List<Library> libraries() throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith(LIBRARIES) && name.endsWith(".jar"))
          .map(name -> Library.of(name.substring(LIBRARIES.length())))
          .toList();
    }
  }

  /** A file of the jar, as text. */
  String text(String entry) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      ZipEntry file =
          Optional.ofNullable(zip.getEntry(entry))
              .orElseThrow(() -> new AssertionError(jar + " has no " + entry));
      return new String(zip.getInputStream(file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
