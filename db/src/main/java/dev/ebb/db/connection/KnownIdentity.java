package dev.ebb.db.connection;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest identity of a database that this process has seen; with a folder, also what processes
 * on this machine saw before it.
 */
final class KnownIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(KnownIdentity.class);

  private final @Nullable Path file;
  private @Nullable Identity newest;
  private boolean hasTold;

  private KnownIdentity(@Nullable Path file) {
    this.file = file;
    this.newest = file == null ? null : read(file);
  }

  /** Of the database at an address; without a folder, it is forgotten with the process. */
  static KnownIdentity of(String address, @Nullable Path folder) {
    return new KnownIdentity(folder == null ? null : folder.resolve(nameOf(address)));
  }

  private static String nameOf(String address) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(address.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8) + ".properties";
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }

  /** {@code null} where none was seen. */
  synchronized @Nullable Identity newest() {
    return newest;
  }

  /**
   * Compares a server with what is known, and remembers it if it is newer.
   *
   * @param address of the server, for people
   * @throws WrongDatabase if it is not the database that is known
   */
  synchronized void admit(Identity seen, String address) throws WrongDatabase {
    Identity known = newest;
    String why = known == null ? null : seen.whyNot(known);
    if (why != null) {
      throw new WrongDatabase(address, why);
    }
    if (known == null || isNews(seen, known)) {
      newest = seen;
      write(seen);
    }
  }

  /** Whether it is newer, or says what was not known: of which schema it is. */
  private static boolean isNews(Identity seen, Identity known) {
    boolean tellsMore = known.origin() == null && seen.origin() != null;
    return tellsMore || seen.compareTo(known) > 0;
  }

  /** Forgets what was seen, here and by later processes of this machine. */
  synchronized void forget() throws IOException {
    newest = null;
    if (file != null) {
      Files.deleteIfExists(file);
    }
  }

  private static @Nullable Identity read(Path file) {
    try (Reader reader = Files.newBufferedReader(file)) {
      Properties kept = new Properties();
      kept.load(reader);
      String origin = kept.getProperty("origin");
      return new Identity(
          origin == null ? null : UUID.fromString(origin),
          Instant.parse(kept.getProperty("confirmedAt", "")),
          Long.parseUnsignedLong(kept.getProperty("systemIdentifier", "")),
          Integer.parseInt(kept.getProperty("timeline", "")));
    } catch (IOException | DateTimeException | IllegalArgumentException absentOrBroken) {
      return null;
    }
  }

  private void write(Identity identity) {
    if (file == null) {
      return;
    }
    Properties kept = new Properties();
    if (identity.origin() != null) {
      kept.setProperty("origin", identity.origin().toString());
    }
    kept.setProperty("confirmedAt", identity.confirmedAt().toString());
    kept.setProperty("systemIdentifier", Long.toUnsignedString(identity.systemIdentifier()));
    kept.setProperty("timeline", Integer.toString(identity.timeline()));
    try {
      Path folder = Files.createDirectories(file.toAbsolutePath().getParent());
      Path half = Files.createTempFile(folder, "identity", null);
      try (Writer writer = Files.newBufferedWriter(half)) {
        kept.store(writer, null);
      }
      Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException unwritable) {
      tell(unwritable);
    }
  }

  private void tell(IOException unwritable) {
    if (!hasTold) {
      hasTold = true;
      LOG.info(
          "{} cannot be written: which database this node knows is forgotten when it ends ({})",
          file,
          unwritable.toString());
    }
  }
}
