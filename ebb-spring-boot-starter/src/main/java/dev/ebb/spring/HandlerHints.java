package dev.ebb.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/** What a native image has to keep of a handler: its method, and the fields of its arguments. */
final class HandlerHints implements ReflectiveProcessor {
  private final BindingReflectionHintsRegistrar arguments = new BindingReflectionHintsRegistrar();

  @Override
  public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
    if (element instanceof Method method) {
      hints.registerMethod(method, ExecutableMode.INVOKE);
      if (method.getParameterCount() > 0) {
        arguments.registerReflectionHints(hints, method.getGenericParameterTypes()[0]);
      }
    }
  }
}
