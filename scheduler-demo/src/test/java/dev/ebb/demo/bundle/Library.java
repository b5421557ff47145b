package dev.ebb.demo.bundle;

import java.lang.module.ModuleDescriptor.Version;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bundled jar. */
record Library(String name, String version) {
  private static final Pattern FILE = Pattern.compile("(.+?)-(\\d.*)\\.jar");

  static Library of(String file) {
    Matcher parts = FILE.matcher(file);
    if (!parts.matches()) {
      throw new AssertionError(file + " has no version in its name");
    }
    return new Library(parts.group(1), parts.group(2));
  }

  boolean isOlderThan(String mended) {
    return Version.parse(version).compareTo(Version.parse(mended)) < 0;
  }
}
