package dev.ebb.demo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a release consists of, and the workflows that make one. */
class ReleaseTest {
  private static final Pattern PARENT = Pattern.compile("(?s)<parent>.*?</parent>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
  private static final Pattern VERSION = Pattern.compile("<version>(.*?)</version>");
  private static final Pattern MANAGED =
      Pattern.compile("(?s)<dependencyManagement>(.*?)</dependencyManagement>");
  private static final Pattern ENTRY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
  private static final Pattern SCRIPT = Pattern.compile("(?<![\\w/.])(?:\\./ebb|\\.ci/[\\w-]+)");
  private static final Pattern USES = Pattern.compile("uses:\\s*(.*)");
  private static final Pattern SCM = Pattern.compile("<connection>scm:git:(.*)</connection>");
  private static final Pattern TAG_CHECK = Pattern.compile("name: The tag is .*\\s+run: (.*)");

  /** A commit, which nobody can move as a tag can be moved, and the version that it is. */
  private static final Pattern PINNED = Pattern.compile("\\S+@[0-9a-f]{40} # v[\\d.]+");

  private static Source file(String path) {
    return Repository.texts().filter(file -> file.path().equals(path)).findFirst().orElseThrow();
  }

  private static String first(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).findFirst().orElse("");
  }

  private static List<Source> published() {
    return Repository.texts()
        .filter(file -> file.path().matches("[^/]+/pom\\.xml"))
        .filter(file -> file.text().contains("<maven.deploy.skip>false<"))
        .toList();
  }

  private static Set<String> names(List<Source> modules) {
    Set<String> names = new TreeSet<>();
    modules.forEach(one -> names.add(first(ARTIFACT, one.text().replaceAll(PARENT.pattern(), ""))));
    return names;
  }

  @Test
  void the_bom_manages_each_published_module_and_nothing_else() {
    assertThat(published()).hasSizeGreaterThan(8);
    assertThat(complaints(file("ebb-bom/pom.xml").text(), names(published()))).isEmpty();
  }

  private static List<String> complaints(String bom, Set<String> published) {
    List<String> complaints = new ArrayList<>();
    if (bom.contains("<parent>")) {
      complaints.add("manages what its parent manages");
    }
    Set<String> missing = new TreeSet<>(published);
    for (MatchResult entry : ENTRY.matcher(first(MANAGED, bom)).results().toList()) {
      String name = first(ARTIFACT, entry.group(1));
      String own =
          """
          <groupId>dev.ebb</groupId>\
          <artifactId>%s</artifactId>\
          <version>${project.version}</version>\
          """
              .formatted(name);
      if (!missing.remove(name) || !entry.group(1).replaceAll("\\s", "").equals(own)) {
        complaints.add("manages " + name);
      }
    }
    missing.forEach(name -> complaints.add("lacks " + name));
    return complaints;
  }

  @Test
  void a_bom_that_lacks_a_module_or_leaks_a_library_is_caught() {
    String bom = file("ebb-bom/pom.xml").text();
    Set<String> more = new TreeSet<>(names(published()));
    more.add("ebb-another");
    Set<String> fewer = new TreeSet<>(names(published()));
    fewer.remove("ebb-client");

    assertThat(complaints(bom, more)).containsExactly("lacks ebb-another");
    assertThat(complaints(bom, fewer)).containsExactly("manages ebb-client");
    assertThat(complaints(bom.replaceFirst("dev.ebb</groupId>\\s+<artifactId>ebb-c", "a$0"), more))
        .contains("manages ebb-client");
    assertThat(complaints("<parent></parent>", Set.of())).hasSize(1);
  }

  @Test
  void the_bom_has_the_version_of_its_modules() {
    String version = first(VERSION, file("pom.xml").text());

    assertThat(first(VERSION, file("ebb-bom/pom.xml").text())).isEqualTo(version);
    assertThat(published()).allMatch(one -> first(VERSION, one.text()).equals(version));
  }

  @Test
  void each_published_module_says_what_it_is() {
    assertThat(published())
        .allSatisfy(one ->
            assertThat(one.text())
                .containsPattern("<name>Ebb \\w.*</name>")
                .containsPattern("<description>\\S.*\\.</description>"));
  }

  private static Stream<Source> workflows() {
    return Repository.texts().filter(file -> file.path().startsWith(".github/workflows/"));
  }

  @Test
  void each_script_that_a_workflow_names_can_be_run() {
    List<String> named = workflows().flatMap(file -> scripts(file.text())).distinct().toList();

    assertThat(named).contains(".ci/run", ".ci/release", ".ci/sign");
    assertThat(named).allMatch(name -> Files.isExecutable(Repository.ROOT.resolve(name)));
    assertThat(scripts("run: sudo .ci/nothing && ./ebb build")).contains(".ci/nothing", "./ebb");
  }

  private static Stream<String> scripts(String workflow) {
    return SCRIPT.matcher(workflow).results().map(MatchResult::group);
  }

  @ParameterizedTest
  @CsvSource({"0.1.0,v0.1.0,true", "0.1.0,v0.2.0,false", "0.1.0-SNAPSHOT,v0.1.0-SNAPSHOT,false"})
  void a_tag_makes_a_release_if_it_is_the_version_and_no_snapshots(
      String version, String tag, boolean makes, @TempDir Path folder) throws Exception {
    Path ebb = Files.writeString(folder.resolve("ebb"), "#!/bin/sh\necho ebb " + version + "\n");
    Files.setPosixFilePermissions(ebb, PosixFilePermissions.fromString("rwx------"));
    String check = first(TAG_CHECK, file(".github/workflows/release.yml").text());
    ProcessBuilder run = new ProcessBuilder("bash", "-e", "-c", check).directory(folder.toFile());
    run.environment().put("GITHUB_REF_NAME", tag);

    assertThat(run.start().waitFor() == 0).isEqualTo(makes);
  }

  @Test
  void npm_is_told_the_repository_that_the_provenance_names() {
    assertThat(file("clients/typescript/package.json").text())
        .contains("\"git+" + first(SCM, file("pom.xml").text()) + "\"");
  }

  @Test
  void a_workflow_runs_no_action_that_others_can_change() {
    assertThat(workflows()).hasSizeGreaterThan(1).flatMap(ReleaseTest::movable).isEmpty();

    String moves = "- uses: actions/checkout@v5\n";
    assertThat(movable(new Source("a.yml", moves))).containsExactly("actions/checkout@v5");
  }

  private static List<String> movable(Source workflow) {
    return USES.matcher(workflow.text())
        .results()
        .map(found -> found.group(1))
        .filter(action -> !PINNED.matcher(action).matches())
        .toList();
  }
}
