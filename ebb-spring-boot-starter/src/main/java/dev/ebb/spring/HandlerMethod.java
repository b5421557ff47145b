package dev.ebb.spring;

import dev.ebb.client.EbbWorker;
import dev.ebb.client.Handler;
import dev.ebb.client.InvalidJob;
import dev.ebb.client.Job;
import dev.ebb.client.JobKind;
import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method that runs the jobs of a kind. It is called as its bean is, through whatever Spring put
 * around that.
 *
 * @param bean its name
 * @param takesRun whether it takes the run beside the arguments
 */
record HandlerMethod<T>(
    JobKind<T> kind,
    Class<T> args,
    String queue,
    BeanFactory beans,
    String bean,
    Method method,
    boolean takesRun)
    implements Handler<T> {

  /** One of a bean of this class; a {@link SetupFailure} if it cannot be one. */
  static HandlerMethod<?> of(
      EbbHandler said, Method method, BeanFactory beans, String bean, Class<?> type) {
    ResolvableType args = argument(method, 0, type);
    ResolvableType run = argument(method, 1, type);
    require(
        method.getParameterCount() <= 2
            && isPlain(args)
            && (method.getParameterCount() < 2 || isRunOf(args, run))
            && (method.getReturnType() == void.class || method.getReturnType() == Outcome.class),
        method,
        "must take the arguments of its kind, which are of a class without type parameters, and"
            + " may take their Run as well, and it must return nothing or an Outcome");
    require(
        !said.kind().equals("http"),
        method,
        "must be of another kind than http: Ebb's own workers alone run deliveries");
    HandlerMethod<?> found = made(said, method, beans, bean, boxed(args));
    found.invocable(Objects.requireNonNullElse(beans.getType(bean), type));
    return found;
  }

  private static <T> HandlerMethod<T> made(
      EbbHandler said, Method method, BeanFactory beans, String bean, Class<T> args) {
    try {
      JobKind<T> kind = JobKind.of(said.kind(), args);
      // Only a job knows the rules of queues.
      Job<String> unused = JobKind.json(said.kind()).job("{}").queue(said.queue());
      boolean takesRun = method.getParameterCount() == 2;
      return new HandlerMethod<>(kind, args, said.queue(), beans, bean, method, takesRun);
    } catch (InvalidJob broken) {
      throw new SetupFailure(
          "The " + broken.field() + " of " + name(method) + " " + broken.rule() + ".", broken);
    }
  }

  private static ResolvableType argument(Method method, int place, Class<?> type) {
    return method.getParameterCount() > place
        ? ResolvableType.forMethodParameter(method, place, type)
        : ResolvableType.NONE;
  }

  private static boolean isPlain(ResolvableType args) {
    Class<?> type = args.resolve();
    return type != null && type != Run.class && type.getTypeParameters().length == 0;
  }

  private static boolean isRunOf(ResolvableType args, ResolvableType run) {
    Class<?> of = run.getGeneric(0).resolve();
    return run.resolve() == Run.class && (of == null || of == boxed(args));
  }

  private static Class<?> boxed(ResolvableType args) {
    return ClassUtils.resolvePrimitiveIfNecessary(args.toClass());
  }

  private static void require(boolean holds, Method method, String rule) {
    if (!holds) {
      throw new SetupFailure(name(method) + " is an @EbbHandler, so it " + rule + ".");
    }
  }

  private static String name(Method method) {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }

  /** Its method and its bean, for people. */
  String name() {
    return name(method) + " of the bean " + bean;
  }

  /** Adds it to those of a worker, with something around each run. */
  void register(EbbWorker.Builder worker, HandlerWatch watch) {
    worker.on(kind, run -> watch.around(run, () -> run(run)));
  }

  @Override
  public Outcome run(Run<T> run) throws Exception {
    Object target = beans.getBean(bean);
    Object[] given = takesRun ? new Object[] {run.args(), run} : new Object[] {run.args()};
    try {
      return outcome(invocable(target.getClass()).invoke(target, given));
    } catch (InvocationTargetException thrown) {
      ReflectionUtils.rethrowException(thrown.getTargetException());
      throw thrown;
    }
  }

  /** The same method as the bean has it, which may be a proxy. */
  private Method invocable(Class<?> type) {
    try {
      Method invocable = AopUtils.selectInvocableMethod(method, type);
      ReflectionUtils.makeAccessible(invocable);
      return invocable;
    } catch (IllegalStateException hidden) {
      throw new SetupFailure(name() + " cannot be called: " + hidden.getMessage(), hidden);
    }
  }

  private Outcome outcome(@Nullable Object returned) {
    return method.getReturnType() == void.class
        ? Outcome.completed()
        : (Outcome) Objects.requireNonNull(returned, name() + " returned null");
  }
}
