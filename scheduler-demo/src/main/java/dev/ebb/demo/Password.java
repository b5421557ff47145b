package dev.ebb.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The password of the demo's database: drawn once, and kept where only its user can read it. */
final class Password {
  private static final int BYTES = 24;
  private static final FileAttribute<?> MINE_ALONE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private Password() {}

  static Path file(Path folder) {
    return folder.resolve("password");
  }

  /** The folder's password, of hexadecimal digits; drawn where there is none. */
  static String in(Path folder) throws IOException {
    Path file = file(folder);
    if (Files.notExists(file)) {
      byte[] drawn = new byte[BYTES];
      new SecureRandom().nextBytes(drawn);
      Path unfinished = folder.resolve("password.unfinished");
      Files.deleteIfExists(unfinished);
      Files.createFile(unfinished, MINE_ALONE);
      Files.writeString(unfinished, HexFormat.of().formatHex(drawn) + "\n");
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
    String password = Files.readString(file).strip();
    if (!password.matches("[0-9a-f]{16,}")) {
      throw new IOException(file + " does not hold a password: delete it to get a new one");
    }
    return password;
  }
}
