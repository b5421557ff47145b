package dev.ebb.spring.test;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/** The migrations of the nodes, as this jar has them. */
final class Scripts {
  /** How the mark of a schema begins. */
  static final String MAKER = "made for tests by ebb-spring-boot-test";

  private static final String FOLDER = "classpath:dev/ebb/spring/test/schema/";

  private final ClassLoader loader;
  private final List<String> migrations;
  private final String mark;

  Scripts(ClassLoader loader) {
    this.loader = loader;
    this.migrations = found("migration/V*.sql");
    this.mark = mark(migrations);
  }

  private static String mark(List<String> migrations) {
    CRC32 sum = new CRC32();
    migrations.forEach(script -> sum.update(script.getBytes(StandardCharsets.UTF_8)));
    return MAKER + ", " + migrations.size() + " migrations, " + Long.toHexString(sum.getValue());
  }

  /** What a schema is marked with that was made of these. */
  String mark() {
    return mark;
  }

  /** One statement each, in their order, for a server of this version. */
  List<String> migrations(int version) {
    String before = older(version, "beforeEachMigrate__*.sql");
    String after = older(version, "afterEachMigrate__*.sql");
    return migrations.stream()
        .map(migration ->
            """
            do $whole$ begin %s %s %s end $whole$
            """
                .formatted(before, executed(migration), after))
        .toList();
  }

  /** A script whole, by the server: the driver cannot tell where all of its statements end. */
  private static String executed(String script) {
    return "execute $script$ %s $script$;".formatted(script);
  }

  /** What a migration needs around it on a server older than 18. */
  private String older(int version, String files) {
    List<String> scripts = new ArrayList<>();
    if (version < 18_00_00) {
      scripts.addAll(found("before18/" + files));
    }
    if (version < 16_00_00) {
      scripts.addAll(found("before16/" + files));
    }
    return scripts.stream().map(Scripts::executed).collect(Collectors.joining());
  }

  /** Those of a folder, in the order of their numbers. */
  private List<String> found(String pattern) {
    List<String> scripts =
        Arrays.stream(files(pattern))
            .sorted(Comparator.comparingInt(Scripts::place))
            .map(Scripts::text)
            .toList();
    if (scripts.isEmpty()) {
      throw new IllegalStateException(
          "ebb-spring-boot-test lacks its migrations (" + pattern + "): its jar is not whole");
    }
    return scripts;
  }

  private Resource[] files(String pattern) {
    try {
      return new PathMatchingResourcePatternResolver(loader).getResources(FOLDER + pattern);
    } catch (FileNotFoundException noFolder) {
      return new Resource[0];
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int place(Resource script) {
    String digits = String.valueOf(script.getFilename()).replaceAll("V(\\d+)__.*|.*", "$1");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  private static String text(Resource script) {
    try {
      return script.getContentAsString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
