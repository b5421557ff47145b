package dev.ebb.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.db.queue.Limiters;
import dev.ebb.db.settle.Complete;
import dev.ebb.db.settle.Settle;
import dev.ebb.db.settle.SettleOthers;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A JVM in which a guard is taken out of a statement or a method: the control that shows that a
 * test would notice its absence. The class that has it is rewritten and put before the others.
 */
public final class Sabotage {
  /** Takes every line out that bears the fence. */
  public static final UnaryOperator<String> NO_FENCE =
      sql -> sql.lines().filter(line -> !line.endsWith("-- fence")).reduce("", Sabotage::line);

  /** Lets claimers of one queue pass without its lock. */
  static final UnaryOperator<String> NO_QUEUE_LOCK =
      sql ->
          sql.replace("pg_advisory_xact_lock(6644322, hashtext(?))", "length(?)")
              .replace("pg_advisory_xact_lock(6644322, hashtext(t.queue)) is not null", "true");

  /** Lets every due job be claimed, whether it is its turn in its ordering key or not. */
  static final UnaryOperator<String> NO_TURN =
      sql -> sql.replace("(j.ordering_key is null\n", "(true\n");

  private static final String TURN = "dev.ebb.db.claim.Turn";
  private static final String DUE = "dev.ebb.db.claim.Due";

  /** Counts what a node completes, even if the fence keeps it out. */
  static final UnaryOperator<String> LOOSE_TALLY =
      sql ->
          sql.replace(
              "where (select count(*) from done) = (select count(*) from told)", "where true");

  private Sabotage() {}

  private static String line(String before, String line) {
    return before + line + "\n";
  }

  /** A command line that runs the class's main in a JVM with this test's class path. */
  public static List<String> java(Class<?> main, String... arguments) {
    return command(System.getProperty("java.class.path"), main, arguments);
  }

  /** The same with the fence taken out of every settle. */
  public static List<String> javaWithoutFence(Class<?> main, String... arguments) {
    return javaWith(
        List.of(Settle.class, SettleOthers.class, Complete.class), NO_FENCE, main, arguments);
  }

  /** The same with the queue lock taken out of every claim, and of every use of a limiter. */
  public static List<String> javaWithoutQueueLock(Class<?> main, String... arguments) {
    List<String> victims = List.of(DUE, Limiters.class.getName());
    return rewrittenAll(victims, NO_QUEUE_LOCK, main, arguments);
  }

  /** The same in which claims keep no order of ordering keys. */
  public static List<String> javaWithoutTurn(Class<?> main, String... arguments) {
    return rewrittenAll(List.of(TURN), NO_TURN, main, arguments);
  }

  /** The same with a tally that does not look at what was written. */
  public static List<String> javaWithLooseTally(Class<?> main, String... arguments) {
    return javaWith(List.of(Complete.class), LOOSE_TALLY, main, arguments);
  }

  /** The same with a change of the texts in these classes. */
  public static List<String> javaWith(
      List<Class<?>> victims, UnaryOperator<String> change, Class<?> main, String... arguments) {
    return rewrittenAll(victims.stream().map(Class::getName).toList(), change, main, arguments);
  }

  private static List<String> rewrittenAll(
      List<String> victims, UnaryOperator<String> change, Class<?> main, String... arguments) {
    String path =
        victims.stream()
            .map(victim -> rewritten(victim, main.getClassLoader(), texts(change)) + ":")
            .collect(Collectors.joining());
    return command(path + System.getProperty("java.class.path"), main, arguments);
  }

  /** The same in which a method answers that number, whatever it looks at. */
  public static List<String> javaWithAnswer(
      String victim, String method, int answer, Class<?> main, String... arguments) {
    Path folder = rewritten(victim, main.getClassLoader(), answer(method, answer));
    return command(folder + ":" + System.getProperty("java.class.path"), main, arguments);
  }

  /** Runs the command to its end, which must be a success, and answers the last line it prints. */
  public static String lastLine(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed.strip().lines().toList().getLast();
  }

  private static List<String> command(String classPath, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** A change of a class that counts what it changed. */
  private interface Change extends Function<AtomicInteger, ClassTransform> {}

  private static Path rewritten(String victim, ClassLoader loader, Change change) {
    String file = victim.replace('.', '/') + ".class";
    AtomicInteger changes = new AtomicInteger();
    try (InputStream original = loader.getResourceAsStream(file)) {
      byte[] bytes =
          ClassFile.of()
              .transformClass(ClassFile.of().parse(original.readAllBytes()), change.apply(changes));
      if (changes.get() == 0) {
        throw new IllegalStateException("there is no such guard in " + victim);
      }
      Path folder = Files.createTempDirectory("ebb-sabotage");
      Path target = folder.resolve(file);
      Files.createDirectories(target.getParent());
      Files.write(target, bytes);
      return folder;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Change texts(UnaryOperator<String> change) {
    return changes -> ClassTransform.transformingMethodBodies(texts(change, changes));
  }

  private static CodeTransform texts(UnaryOperator<String> change, AtomicInteger changes) {
    return (builder, element) -> {
      if (element instanceof LoadConstantInstruction load
          && load.constantValue() instanceof String text
          && !change.apply(text).strip().equals(text.strip())) {
        changes.incrementAndGet();
        builder.loadConstant(change.apply(text));
      } else {
        builder.with(element);
      }
    };
  }

  private static Change answer(String method, int answer) {
    return changes ->
        (builder, element) -> {
          if (element instanceof MethodModel found && found.methodName().equalsString(method)) {
            changes.incrementAndGet();
            builder.withMethodBody(
                found.methodName(),
                found.methodType(),
                found.flags().flagsMask(),
                code -> code.loadConstant(answer).ireturn());
          } else {
            builder.with(element);
          }
        };
  }
}
