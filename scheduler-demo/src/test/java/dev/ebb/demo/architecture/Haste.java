package dev.ebb.demo.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds assertions that something measured took no longer than a time, outside of what {@code
 * Judged} judges: they fail on a busy machine. That it took at least a time may be asserted, and so
 * may that a deadline of a wait is not over.
 */
final class Haste extends TreeScanner<@Nullable Void, @Nullable Void> {
  private static final Set<String> BOUNDS =
      Set.of("isLessThan", "isLessThanOrEqualTo", "isBetween", "isStrictlyBetween", "isCloseTo");

  /** How javac prints the difference of two times. */
  private static final Pattern ELAPSED =
      Pattern.compile("\\b(nanoTime|currentTimeMillis)\\(\\) - \\w");

  private final List<String> complaints = new ArrayList<>();
  private final Set<String> measured = new HashSet<>();
  private final String path;
  private final CompilationUnitTree unit;
  private final SourcePositions positions;
  private int judged;

  private Haste(String path, CompilationUnitTree unit, SourcePositions positions) {
    this.path = path;
    this.unit = unit;
    this.positions = positions;
  }

  static List<String> complaints(String path, CompilationUnitTree unit, SourcePositions positions) {
    Haste haste = new Haste(path, unit, positions);
    haste.scan(unit, null);
    return haste.complaints;
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
    measured.clear();
    return super.visitClass(type, null);
  }

  @Override
  public @Nullable Void visitVariable(VariableTree variable, @Nullable Void unused) {
    if (variable.getInitializer() != null && isElapsed(variable.getInitializer())) {
      measured.add(variable.getName().toString());
    }
    return super.visitVariable(variable, null);
  }

  @Override
  public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void unused) {
    boolean judges = name(call).equals("missed");
    judged += judges ? 1 : 0;
    if (judged == 0 && BOUNDS.contains(name(call)) && isMeasured(subject(call))) {
      long line =
          Objects.requireNonNull(unit.getLineMap())
              .getLineNumber(positions.getStartPosition(unit, call));
      complaints.add(path + ":" + line + " asserts a duration: let Judged judge it");
    }
    super.visitMethodInvocation(call, null);
    judged -= judges ? 1 : 0;
    return null;
  }

  private boolean isMeasured(@Nullable ExpressionTree subject) {
    return subject != null
        && (isElapsed(subject)
            || (subject instanceof IdentifierTree name
                && measured.contains(name.getName().toString())));
  }

  private static boolean isElapsed(Tree tree) {
    return ELAPSED.matcher(tree.toString()).find();
  }

  /** What {@code assertThat} at the beginning of the chain is about. */
  private static @Nullable ExpressionTree subject(MethodInvocationTree call) {
    ExpressionTree step = call;
    while (step instanceof MethodInvocationTree inner) {
      if (name(inner).equals("assertThat")) {
        return inner.getArguments().isEmpty() ? null : inner.getArguments().getFirst();
      }
      step =
          inner.getMethodSelect() instanceof MemberSelectTree select
              ? select.getExpression()
              : inner.getMethodSelect();
    }
    return null;
  }

  private static String name(MethodInvocationTree call) {
    return switch (call.getMethodSelect()) {
      case MemberSelectTree select -> select.getIdentifier().toString();
      case IdentifierTree name -> name.getName().toString();
      default -> "";
    };
  }
}
