package dev.ebb.app.settings;

import static java.nio.file.attribute.PosixFilePermission.OTHERS_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file that holds the database's password. */
public record PasswordFile(Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(PasswordFile.class);

  /** Where a container finds its secrets: readable by all in it, which is nobody else. */
  private static final Path SECRETS = Path.of("/run/secrets");

  /** Whether other users of this machine may read it. */
  public boolean isOpen() {
    return isOpen(SECRETS);
  }

  boolean isOpen(Path secrets) {
    try {
      Path file = path.toRealPath();
      return !file.startsWith(secrets) && allow(file, OTHERS_READ) && isReached(file);
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  /** A folder that keeps others out keeps the files in it, whatever they allow themselves. */
  private static boolean isReached(Path file) throws IOException {
    for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
      if (!allow(folder, OTHERS_EXECUTE)) {
        return false;
      }
    }
    return true;
  }

  private static boolean allow(Path path, PosixFilePermission what) throws IOException {
    return Files.getPosixFilePermissions(path).contains(what);
  }

  /** Says so in the log where others may read it. */
  public void warnIfOpen() {
    if (isOpen()) {
      LOG.warn("other users can read the password file {}: chmod 600 {}", path, path);
    }
  }
}
