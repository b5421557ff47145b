package dev.ebb.demo.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final String HOUSE = "dev.ebb";

  /** A small house in which every rule is broken: the control of the rules. */
  private static final String RUIN = "dev.ebb.demo.architecture.ruin";

  private static final JavaClasses HOUSE_CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("test-classes"))
          .withImportOption(location -> !location.contains("/testing/target/"))
          .importPackages(HOUSE);
  private static final JavaClasses RUIN_CLASSES = new ClassFileImporter().importPackages(RUIN);

  static Stream<String> sentences() {
    return Rules.below(HOUSE).keySet().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sentences")
  void the_house_keeps_the_rule(String sentence) {
    rule(HOUSE, sentence).check(HOUSE_CLASSES);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sentences")
  void the_rule_catches_the_class_that_breaks_it(String sentence) {
    EvaluationResult result = rule(RUIN, sentence).evaluate(RUIN_CLASSES);

    assertThat(result.hasViolation()).isTrue();
  }

  @Test
  void every_module_is_looked_at() {
    assertThat(
            Stream.of(
                "client", "core", "db", "worker", "cron", "api", "ui", "app", "demo", "spring"))
        .allSatisfy(module ->
            assertThat(HOUSE_CLASSES.stream())
                .anyMatch(type -> type.getPackageName().startsWith(HOUSE + "." + module)));
  }

  private static ArchRule rule(String root, String sentence) {
    ArchRule rule = Rules.below(root).get(sentence);
    if (rule == null) {
      throw new AssertionError(sentence);
    }
    return rule;
  }
}
