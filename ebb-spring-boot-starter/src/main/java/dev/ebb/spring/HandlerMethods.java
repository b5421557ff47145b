package dev.ebb.spring;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.type.MethodMetadata;
import org.springframework.stereotype.Component;

/** The methods of all beans that run jobs, by kind; found once all beans are there. */
final class HandlerMethods implements SmartInitializingSingleton {
  private static final System.Logger LOG = System.getLogger(HandlerMethods.class.getName());

  private final ConfigurableListableBeanFactory beans;
  private final Map<String, HandlerMethod<?>> byKind = new TreeMap<>();

  HandlerMethods(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  Collection<HandlerMethod<?>> all() {
    return byKind.values();
  }

  @Nullable HandlerMethod<?> of(String kind) {
    return byKind.get(kind);
  }

  /** The kinds that have a handler, for people. */
  String kinds() {
    return String.join(", ", byKind.keySet());
  }

  List<String> queues() {
    return all().stream().map(HandlerMethod::queue).distinct().toList();
  }

  @Override
  public void afterSingletonsInstantiated() {
    for (String bean : beans.getBeanNamesForType(Object.class)) {
      if (!ScopedProxyUtils.isScopedTarget(bean)) {
        find(bean);
      }
    }
  }

  private void find(String bean) {
    try {
      Class<?> type = type(bean);
      if (type != null) {
        methods(type).forEach((method, said) -> add(said, method, bean, type));
      }
    } catch (LinkageError | IllegalStateException | BeansException unknown) {
      // A part of the class is missing; nobody needs this bean here, unless it has handlers.
      System.Logger.Level level =
          isOfApplication(bean) ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG;
      LOG.log(level, "no look for handlers at the bean " + bean, unknown);
    }
  }

  /** Whether the application declares it: Spring Boot knows its packages. */
  boolean isOfApplication(String bean) {
    String type = beans.containsBeanDefinition(bean) ? named(beans.getBeanDefinition(bean)) : null;
    return type != null
        && AutoConfigurationPackages.has(beans)
        && AutoConfigurationPackages.get(beans).stream()
            .anyMatch(own -> type.startsWith(own + "."));
  }

  /** Its class, or the one whose method makes it. */
  private static @Nullable String named(BeanDefinition bean) {
    MethodMetadata made =
        bean instanceof AnnotatedBeanDefinition annotated
            ? annotated.getFactoryMethodMetadata()
            : null;
    return made == null ? bean.getBeanClassName() : made.getDeclaringClassName();
  }

  /** The class below its proxies. */
  private @Nullable Class<?> type(String bean) {
    String target = ScopedProxyUtils.getTargetBeanName(bean);
    return AutoProxyUtils.determineTargetClass(
        beans, beans.containsBeanDefinition(target) ? target : bean);
  }

  private static Map<Method, EbbHandler> methods(Class<?> type) {
    if (isOfSpring(type) || !AnnotationUtils.isCandidateClass(type, EbbHandler.class)) {
      return Map.of();
    }
    return MethodIntrospector.selectMethods(
        type,
        (MetadataLookup<EbbHandler>)
            method -> AnnotatedElementUtils.findMergedAnnotation(method, EbbHandler.class));
  }

  /** An application may live below that name, too. */
  private static boolean isOfSpring(Class<?> type) {
    return type.getName().startsWith("org.springframework.")
        && !AnnotatedElementUtils.hasAnnotation(type, Component.class);
  }

  private void add(EbbHandler said, Method method, String bean, Class<?> type) {
    HandlerMethod<?> found = HandlerMethod.of(said, method, beans, bean, type);
    HandlerMethod<?> other = byKind.put(said.kind(), found);
    if (other != null) {
      throw new SetupFailure(
          "Two handlers have the kind "
              + said.kind()
              + ": "
              + other.name()
              + ", and "
              + found.name()
              + ".");
    }
  }
}
