package dev.ebb.spring.test;

import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Deletes the jobs of other tests before each test with {@link EbbTest}. */
final class Clearing implements TestExecutionListener, Ordered {
  /** Before a transaction of the test begins, whose rollback would bring them back. */
  private static final int ORDER = 3_500;

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  public void beforeTestMethod(TestContext test) {
    EbbTest said =
        TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), EbbTest.class);
    if (said != null && said.clear()) {
      test.getApplicationContext().getBean(EbbJobs.class).clear();
    }
  }
}
