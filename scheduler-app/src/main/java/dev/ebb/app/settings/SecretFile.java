package dev.ebb.app.settings;

import static java.nio.file.attribute.PosixFilePermission.OTHERS_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that holds secrets. */
public record SecretFile(Path path) {
  private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);

  /** Where a container finds its secrets: every user in it may read them, but there is no other. */
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

  /** A folder that others cannot enter protects its files, whatever their own permissions. */
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

  /** Logs a warning if others may read it. */
  public void warnIfOpen() {
    if (isOpen()) {
      LOG.warn("other users can read {}: chmod 600 {}", path, path);
    }
  }
}
