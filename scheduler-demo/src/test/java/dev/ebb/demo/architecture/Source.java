package dev.ebb.demo.architecture;

import java.util.List;

/** A text file of the repository. */
record Source(String path, String text) {
  List<String> lines() {
    return text.lines().toList();
  }

  boolean isTest() {
    return path.contains("src/test/") || path.startsWith("testing/");
  }

  String folder() {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }
}
