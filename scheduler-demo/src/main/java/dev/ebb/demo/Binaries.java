package dev.ebb.demo;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked from this program's own jar once. */
final class Binaries {
  private static final int EXECUTABLE = 0b001_000_000;

  private Binaries() {}

  /** The folder with {@code bin}, {@code lib} and {@code share}, unpacked where it is missing. */
  static Path unpackedIn(Path folder) throws IOException {
    Path unpacked = folder.resolve("postgresql");
    if (Files.notExists(unpacked)) {
      Path unfinished = folder.resolve("postgresql.unfinished");
      Folders.delete(unfinished);
      unpack(unfinished);
      Files.move(unfinished, unpacked, StandardCopyOption.ATOMIC_MOVE);
    }
    return unpacked;
  }

  private static void unpack(Path target) throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "arm_64";
    try (InputStream packed = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machine);
        TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(packed))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry, target);
      }
    }
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path target)
      throws IOException {
    Path file = target.resolve(entry.getName()).normalize();
    if (!file.startsWith(target)) {
      throw new IOException(entry.getName() + " points out of its archive");
    }
    if (entry.isDirectory()) {
      Files.createDirectories(file);
      return;
    }
    Files.createDirectories(file.resolveSibling("."));
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, file);
      boolean executable = (entry.getMode() & EXECUTABLE) != 0;
      Files.setPosixFilePermissions(
          file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }
}
