package dev.ebb.demo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TidyTest {

  @Test
  void the_sources_are_tidy() {
    List<Source> sources = Repository.javaSources();

    assertThat(sources).hasSizeGreaterThan(40);
    assertThat(sources).flatExtracting(Tidiness::complaints).isEmpty();
  }

  @Test
  void the_texts_carry_no_path_of_a_machine() {
    assertThat(Repository.texts()).flatExtracting(Tidiness::machinePaths).isEmpty();
  }

  @Test
  void every_package_says_what_it_is_and_that_null_does_not_exist_in_it() {
    List<Source> sources = Repository.javaSources();

    assertThat(Tidiness.unmarkedPackages(sources)).isEmpty();
    assertThat(Tidiness.silentPackages(sources)).isEmpty();
  }

  /** Without what judges failures, surefire would let a test pass that fails every other time. */
  @Test
  void failed_tests_run_again_only_where_standstills_are_measured() {
    List<Source> modules = Repository.texts().filter(TidyTest::isModule).toList();

    assertThat(modules).hasSizeGreaterThan(9);
    assertThat(modules)
        .allMatch(module ->
            module.text().contains("<artifactId>scheduler-testing</artifactId>")
                || module.text().contains("<rerun.failed.tests>0<"));
  }

  private static boolean isModule(Source file) {
    return file.path().endsWith("/pom.xml") && file.text().contains("<artifactId>ebb</artifactId>");
  }

  @Test
  void a_long_method_is_caught() {
    String body = "    int a = 1;\n".repeat(Tidiness.MAX_METHOD_LINES + 1);

    assertThat(complaints("class A {\n  void go() {\n" + body + "  }\n}\n"))
        .containsExactly("src/main/java/A.java:2 go has 51 lines, 50 are allowed");
  }

  @Test
  void too_many_parameters_are_caught_but_a_record_may_have_them() {
    String seven = "int a, int b, int c, int d, int e, int f, int g";

    assertThat(complaints("record A(" + seven + ") {\n  A {}\n}\n")).isEmpty();
    assertThat(complaints("class A {\n  void go(" + seven + ") {}\n}\n"))
        .containsExactly("src/main/java/A.java:2 go has 7 parameters, 6 are allowed");
  }

  @Test
  void a_long_file_is_caught_and_a_test_may_be_longer() {
    String lines = "// line\n".repeat(450);

    assertThat(complaints(lines))
        .containsExactly("src/main/java/A.java has 450 lines, 400 are allowed");
    assertThat(Tidiness.complaints(new Source("src/test/java/A.java", lines))).isEmpty();
  }

  @Test
  void a_long_line_and_a_promise_for_later_are_caught() {
    assertThat(complaints("// " + "x".repeat(98) + "\n"))
        .containsExactly("src/main/java/A.java:1 has 101 characters, 100 are allowed");
    assertThat(complaints("// TO" + "DO later\n"))
        .containsExactly("src/main/java/A.java:1 puts something off: do it or file it");
  }

  @Test
  void a_sleeping_test_is_caught() {
    String source = "class A {\n  void go() {\n    Thread.sl" + "eep(1);\n  }\n}\n";

    assertThat(complaints(source)).isEmpty();
    assertThat(Tidiness.complaints(new Source("src/test/java/A.java", source)))
        .containsExactly("src/test/java/A.java:3 sleeps: wait for what it waits for");
  }

  @Test
  void a_test_that_asserts_a_duration_is_caught_unless_it_is_judged() {
    String elapsed = "Duration.ofNanos(System.nanoTime() - start)";
    String soon = "assertThat(%s).isLessThan(SOON)";
    String took = "Duration took = " + elapsed + ";\n  ";

    assertThat(haste(soon.formatted(elapsed) + ";"))
        .containsExactly("src/test/java/A.java:2 asserts a duration: let Judged judge it");
    assertThat(haste(took + soon.formatted("took") + ";")).hasSize(1);
    assertThat(haste("assertThat(System.nanoTime() - start).as(what).isBetween(1, 2);")).hasSize(1);
    assertThat(haste(took + "Judged.missed(() -> " + soon.formatted("took") + ");")).isEmpty();
    assertThat(haste(soon.formatted("size").replace("SOON", "3") + ";")).isEmpty();
    assertThat(haste("assertThat(" + elapsed + ").isGreaterThan(SLOW);")).isEmpty();
    assertThat(haste("assertThat(System.nanoTime()).isLessThan(deadline);")).isEmpty();
  }

  private static List<String> haste(String statements) {
    String source = "class A { void go() {\n  " + statements + "\n}}\n";
    return Tidiness.complaints(new Source("src/test/java/A.java", source));
  }

  @Test
  void a_disabled_test_is_caught() {
    String source = "class A {\n  @Dis" + "abled\n  void go() {}\n}\n";

    assertThat(Tidiness.complaints(new Source("src/test/java/A.java", source)))
        .containsExactly("src/test/java/A.java:2 is switched off: mend or delete it");
  }

  @Test
  void a_package_that_says_nothing_is_caught() {
    String mark = "@NullMarked\npackage a;\n";
    String sentence = "/** What is told to people, and how it is told. */\n";

    assertThat(silent(mark)).isNotEmpty();
    assertThat(silent("/** The package. */\n" + mark)).isNotEmpty();
    assertThat(silent(sentence + mark)).isEmpty();
  }

  private static List<String> silent(String text) {
    return Tidiness.silentPackages(List.of(new Source("src/main/java/a/package-info.java", text)));
  }

  @Test
  void a_package_without_its_mark_is_caught() {
    List<Source> sources =
        List.of(
            new Source("src/main/java/a/A.java", ""),
            new Source("src/main/java/b/B.java", ""),
            new Source("src/main/java/b/package-info.java", "@NullMarked\npackage b;\n"));

    assertThat(Tidiness.unmarkedPackages(sources)).containsExactly("src/main/java/a");
  }

  @Test
  void a_path_of_a_machine_is_caught() {
    Map<String, Integer> lines = Map.of("see /ro" + "ot/x", 1, "jvm in /usr/lib/jvm", 0);

    lines.forEach((line, complaints) ->
        assertThat(Tidiness.machinePaths(new Source("a.md", line))).hasSize(complaints));
  }

  private static List<String> complaints(String text) {
    return Tidiness.complaints(new Source("src/main/java/A.java", text));
  }
}
