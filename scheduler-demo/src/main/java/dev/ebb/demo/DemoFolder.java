package dev.ebb.demo;

import dev.ebb.app.settings.CannotStart;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The folder that a demo keeps its things in, held by a file lock: the operating system gives it
 * back even where the process was killed.
 */
final class DemoFolder implements AutoCloseable {
  private final Path path;
  private final FileChannel lock;

  private DemoFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Takes the folder, and makes it where it is missing. */
  static DemoFolder take(Path home) {
    Path path = home.resolve("demo");
    try {
      Files.createDirectories(path);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
      FileChannel lock =
          FileChannel.open(
              path.resolve("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE));
      if (isTaken(lock)) {
        lock.close();
        throw CannotStart.unable(
            "Another demo runs on " + path + ": stop it, or set EBB_HOME to another folder.");
      }
      return new DemoFolder(path, lock);
    } catch (IOException unwritable) {
      throw CannotStart.unable(
          "The folder " + path + " cannot be written to: set EBB_HOME to one that can.");
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  private static boolean isTaken(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() == null;
    } catch (OverlappingFileLockException byThisProcess) {
      return true;
    }
  }
}
