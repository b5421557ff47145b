package dev.ebb.demo.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** What a formatter does not see: how long things are, and words that must not stand in them. */
final class Tidiness {
  static final int MAX_METHOD_LINES = 50;
  private static final int MAX_PARAMETERS = 6;
  private static final int MAX_LINE = 100;
  private static final int MAX_MAIN_LINES = 400;
  private static final int MAX_TEST_LINES = 500;

  // In two halves, so that this file does not find itself.
  private static final Pattern LATER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  private static final Pattern SLEEP =
      Pattern.compile("\\b(Thread|TimeUnit\\.\\w+)\\.sl" + "eep\\(");
  private static final Pattern OFF = Pattern.compile("@Dis" + "abled\\b");
  private static final Pattern MACHINE =
      Pattern.compile("(?<![\\w.])/(wo" + "rk|ro" + "ot|ho" + "me)/");

  private static final Pattern SENTENCE =
      Pattern.compile("\\A/\\*\\*[\\s*]+[A-Z{][^.]{20,}\\.[\\s\\S]*?\\*/\\s+@NullMarked");

  private Tidiness() {}

  static List<String> complaints(Source source) {
    List<String> complaints = new ArrayList<>();
    int max = source.isTest() ? MAX_TEST_LINES : MAX_MAIN_LINES;
    int lines = source.lines().size();
    if (lines > max) {
      complaints.add(source.path() + " has " + lines + " lines, " + max + " are allowed");
    }
    complaints.addAll(lineComplaints(source));
    complaints.addAll(methodComplaints(source));
    return complaints;
  }

  private static List<String> lineComplaints(Source source) {
    List<String> complaints = new ArrayList<>();
    int number = 0;
    for (String line : source.lines()) {
      String where = source.path() + ":" + ++number;
      if (!source.isTest() && line.length() > MAX_LINE && !line.startsWith("import ")) {
        complaints.add(
            where + " has " + line.length() + " characters, " + MAX_LINE + " are allowed");
      }
      if (LATER.matcher(line).find()) {
        complaints.add(where + " puts something off: do it or file it");
      }
      if (source.isTest() && SLEEP.matcher(line).find()) {
        complaints.add(where + " sleeps: wait for what it waits for");
      }
      if (source.isTest() && OFF.matcher(line).find()) {
        complaints.add(where + " is switched off: mend or delete it");
      }
    }
    return complaints;
  }

  private static List<String> methodComplaints(Source source) {
    JavacTask javac =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, _ -> {}, List.of("-proc:none"), null, List.of(file(source)));
    try {
      CompilationUnitTree unit = javac.parse().iterator().next();
      SourcePositions positions = Trees.instance(javac).getSourcePositions();
      Methods methods = new Methods(source.path(), unit, positions);
      methods.scan(unit, null);
      if (source.isTest()) {
        methods.complaints.addAll(Haste.complaints(source.path(), unit, positions));
      }
      return methods.complaints;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static JavaFileObject file(Source source) {
    URI uri = URI.create("string:///" + source.path());
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source.text();
      }
    };
  }

  private static final class Methods extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final List<String> complaints = new ArrayList<>();
    private final String path;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private boolean inRecord;

    Methods(String path, CompilationUnitTree unit, SourcePositions positions) {
      this.path = path;
      this.unit = unit;
      this.positions = positions;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
      boolean outer = inRecord;
      inRecord = type.getKind() == Tree.Kind.RECORD;
      super.visitClass(type, null);
      inRecord = outer;
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      LineMap lines = Objects.requireNonNull(unit.getLineMap());
      long first = lines.getLineNumber(positions.getStartPosition(unit, method));
      String where = path + ":" + first + " " + method.getName();
      long bodyLines = method.getBody() == null ? 0 : bodyLines(lines, method.getBody());
      if (bodyLines > MAX_METHOD_LINES) {
        complaints.add(
            where + " has " + bodyLines + " lines, " + MAX_METHOD_LINES + " are allowed");
      }
      boolean components = inRecord && method.getName().contentEquals("<init>");
      if (method.getParameters().size() > MAX_PARAMETERS && !components) {
        complaints.add(
            where
                + " has "
                + method.getParameters().size()
                + " parameters, "
                + MAX_PARAMETERS
                + " are allowed");
      }
      return super.visitMethod(method, null);
    }

    /** Between the braces: the table of a parameterized test stands before them. */
    private long bodyLines(LineMap lines, Tree body) {
      return lines.getLineNumber(positions.getEndPosition(unit, body))
          - lines.getLineNumber(positions.getStartPosition(unit, body))
          - 1;
    }
  }

  static List<String> machinePaths(Source source) {
    return source.lines().stream()
        .filter(line -> MACHINE.matcher(line).find())
        .map(line -> source.path() + " names a path of one machine: " + line.strip())
        .toList();
  }

  /** The folders whose package no module's package-info marks. */
  static Set<String> unmarkedPackages(List<Source> sources) {
    Set<String> marked =
        sources.stream()
            .filter(source -> source.path().endsWith("/package-info.java"))
            .filter(source -> source.text().contains("@NullMarked"))
            .map(Tidiness::packageOf)
            .collect(Collectors.toSet());
    return sources.stream()
        .filter(source -> !marked.contains(packageOf(source)))
        .map(Source::folder)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String packageOf(Source source) {
    return source.folder().replaceFirst(".*/java/", "");
  }

  /** Packages whose comment does not begin with a sentence. */
  static List<String> silentPackages(List<Source> sources) {
    return sources.stream()
        .filter(source -> source.path().endsWith("/package-info.java"))
        .filter(source -> !SENTENCE.matcher(source.text()).find())
        .map(Source::folder)
        .toList();
  }
}
