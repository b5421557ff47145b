package dev.ebb.api.server;

import dev.ebb.core.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;

/**
 * Serves scripts and style sheets from the class path. They hold no data, so browsers may keep
 * them, and ask each time whether they are still those.
 */
public final class StaticFiles {
  private StaticFiles() {}

  /** Serves what matches the pattern, from a folder of the class path that ends with a slash. */
  public static void add(ResourceHandlerRegistry registry, String pattern, String folder) {
    registry
        .addResourceHandler(pattern)
        .addResourceLocations("classpath:/" + folder)
        .setCacheControl(CacheControl.noCache())
        // The files of every build bear the same time.
        .setUseLastModified(false)
        .setEtagGenerator(StaticFiles::tag);
  }

  private static String tag(Resource file) {
    try {
      byte[] digest = Sha256.of(file.getContentAsByteArray());
      return '"' + HexFormat.of().formatHex(digest, 0, 16) + '"';
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
