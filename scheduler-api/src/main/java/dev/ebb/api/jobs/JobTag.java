package dev.ebb.api.jobs;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The strong entity tag of a job as one caller sees it: a hash of the answer's bytes. Two callers
 * of whom one sees a masked payload have two tags, and each knows only its own.
 *
 * @param text with its quotes, as the header carries it
 */
record JobTag(String text) {
  private static final int BYTES = 16;
  private static final Pattern TAG = Pattern.compile("(W/)?(\"[^\"]*\")");

  /** The tag of the answer that has these bytes. */
  static JobTag of(byte[] answer) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(answer);
      return new JobTag('"' + HexFormat.of().formatHex(Arrays.copyOf(hash, BYTES)) + '"');
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether {@code If-None-Match} names it; a weak tag counts, and so does {@code *}. */
  boolean isKnown(@Nullable String ifNoneMatch) {
    return isNamed(ifNoneMatch, true);
  }

  /** Whether {@code If-Match} names it; a weak tag never does. */
  boolean isMeant(@Nullable String ifMatch) {
    return isNamed(ifMatch, false);
  }

  private boolean isNamed(@Nullable String header, boolean weakToo) {
    if (header == null) {
      return false;
    }
    return header.strip().equals("*")
        || TAG.matcher(header)
            .results()
            .filter(tag -> weakToo || tag.group(1) == null)
            .map(tag -> tag.group(2))
            .anyMatch(text::equals);
  }
}
