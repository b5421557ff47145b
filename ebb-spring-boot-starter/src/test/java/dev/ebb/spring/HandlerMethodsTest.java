package dev.ebb.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.client.Outcome;
import dev.ebb.client.Run;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.samples.Clinic;

/** The methods that run jobs, as they are found and called. */
class HandlerMethodsTest {
  record Paid(String id) {}

  private record Found(Map<String, HandlerMethod<?>> byKind) {
    HandlerMethod<?> get(String kind) {
      return Objects.requireNonNull(byKind.get(kind), kind);
    }
  }

  private static Found found(Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(beans);
    HandlerMethods methods = new HandlerMethods(context.getDefaultListableBeanFactory());
    methods.afterSingletonsInstantiated();
    return new Found(
        methods.all().stream().collect(Collectors.toMap(one -> one.kind().name(), one -> one)));
  }

  @SuppressWarnings("unchecked")
  private static <T> Outcome run(HandlerMethod<?> handler, T args) throws Exception {
    return ((HandlerMethod<T>) handler).run(TestRun.of(args));
  }

  static class Outcomes {
    final List<String> told = new ArrayList<>();

    @EbbHandler(kind = "completes", queue = "merchants")
    void completes(Paid paid) {
      told.add(paid.id());
    }

    @EbbHandler(kind = "says")
    Outcome says(Paid paid, Run<Paid> run) {
      return Outcome.failed("away", paid.id() + run.attempt());
    }

    @EbbHandler(kind = "throws")
    public void fails(int number, Run<?> run) throws IOException {
      throw new IOException("away " + number);
    }

    @EbbHandler(kind = "null")
    @Nullable Outcome answersNull(Paid paid) {
      return null;
    }
  }

  @Test
  void what_a_method_returns_or_throws_is_the_outcome() throws Exception {
    Found found = found(Outcomes.class);

    assertThat(run(found.get("completes"), new Paid("p")).word()).isEqualTo("completed");
    assertThat(run(found.get("says"), new Paid("p"))).hasToString("failed away: p1");
    assertThatThrownBy(() -> run(found.get("throws"), 7))
        .isInstanceOf(IOException.class)
        .hasMessage("away 7");
    assertThatThrownBy(() -> run(found.get("null"), new Paid("p")))
        .hasMessageContaining("Outcomes.answersNull of the bean")
        .hasMessageContaining("returned null");
    assertThat(found.get("completes").queue()).isEqualTo("merchants");
    assertThat(found.get("says").queue()).isEqualTo("default");
  }

  interface Teller {
    void tell(Paid paid);
  }

  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @EbbHandler(kind = "paid", queue = "merchants")
  @interface OnPaid {}

  static class Merchants implements Teller {
    private final List<String> told = new ArrayList<>();

    @Override
    @OnPaid
    public void tell(Paid paid) {
      told.add(paid.id());
    }
  }

  static class Called {
    int times;
  }

  /** Proxies as those of transactions are. */
  static class Proxied {
    @Bean
    Called called() {
      return new Called();
    }

    @Bean
    BeanNameAutoProxyCreator proxies() {
      BeanNameAutoProxyCreator proxies = new BeanNameAutoProxyCreator();
      proxies.setBeanNames("merchants");
      proxies.setInterceptorNames("counts");
      proxies.setProxyTargetClass(isOfClasses());
      return proxies;
    }

    boolean isOfClasses() {
      return false;
    }

    @Bean
    MethodInterceptor counts(Called called) {
      return call -> {
        called.times++;
        return call.proceed();
      };
    }

    @Bean
    Teller merchants() {
      return new Merchants();
    }
  }

  @Configuration
  static class ProxiedByInterface extends Proxied {}

  @Configuration
  static class ProxiedByClass extends Proxied {
    @Override
    boolean isOfClasses() {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {ProxiedByInterface.class, ProxiedByClass.class})
  void a_bean_is_called_through_its_proxy(Class<?> configuration) throws Exception {
    HandlerMethod<?> handler = found(configuration).get("paid");
    run(handler, new Paid("p"));

    assertThat(((DefaultListableBeanFactory) handler.beans()).getBean(Called.class).times).isOne();
    assertThat(handler.queue()).isEqualTo("merchants");
  }

  @Configuration
  static class LazyBean {
    @Bean
    @Lazy
    Teller merchants() {
      throw new IllegalStateException("nobody runs it yet");
    }

    @Bean
    @Lazy
    Outcomes outcomes() {
      throw new IllegalStateException("nobody runs it yet");
    }
  }

  @Test
  void a_bean_that_is_not_made_yet_is_not_made_for_its_handlers() {
    assertThat(found(LazyBean.class).byKind())
        .containsKeys("completes", "says")
        .doesNotContainKey("paid");
  }

  /** If one cannot be looked at, its handlers may be missed. */
  @Test
  void the_beans_of_the_application_are_told_from_those_of_libraries() {
    AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(LazyBean.class, Clinic.class);
    DefaultListableBeanFactory beans = context.getDefaultListableBeanFactory();
    HandlerMethods methods = new HandlerMethods(beans);
    assertThat(methods.isOfApplication("outcomes")).as("nobody knows its packages").isFalse();

    AutoConfigurationPackages.register(beans, "dev.ebb");

    assertThat(methods.isOfApplication("outcomes")).isTrue();
    assertThat(methods.isOfApplication("handlerMethodsTest.LazyBean")).isTrue();
    assertThat(methods.isOfApplication("clinic")).isFalse();
  }

  @Test
  void an_applications_own_bean_may_live_below_springs_name() {
    assertThat(found(Clinic.class).byKind()).containsOnlyKeys("visited");
  }

  static class Other {
    @EbbHandler(kind = "says")
    void alsoSays(Paid paid) {}
  }

  @Test
  void two_methods_of_one_kind_are_both_named() {
    assertThatThrownBy(() -> found(Outcomes.class, Other.class))
        .isInstanceOf(SetupFailure.class)
        .hasMessageContaining("Two handlers have the kind says")
        .hasMessageContaining("HandlerMethodsTest$Outcomes.says of the bean")
        .hasMessageContaining("HandlerMethodsTest$Other.alsoSays of the bean");
  }

  static class NoArguments {
    @EbbHandler(kind = "a")
    void on() {}
  }

  static class TheRunAlone {
    @EbbHandler(kind = "a")
    void on(Run<Paid> run) {}
  }

  static class AnotherRun {
    @EbbHandler(kind = "a")
    void on(Paid paid, Run<String> run) {}
  }

  static class ThreeArguments {
    @EbbHandler(kind = "a")
    void on(Paid paid, Run<Paid> run, String more) {}
  }

  static class WithTypeParameters {
    @EbbHandler(kind = "a")
    void on(List<Paid> paid) {}
  }

  static class AnotherAnswer {
    @EbbHandler(kind = "a")
    boolean on(Paid paid) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        NoArguments.class,
        TheRunAlone.class,
        AnotherRun.class,
        ThreeArguments.class,
        WithTypeParameters.class,
        AnotherAnswer.class
      })
  void a_method_that_cannot_run_jobs_is_named(Class<?> bean) {
    assertThatThrownBy(() -> found(bean))
        .isInstanceOf(SetupFailure.class)
        .hasMessageContaining(bean.getName() + ".on is an @EbbHandler, so it must take");
  }

  static class BadKind {
    @EbbHandler(kind = "7")
    void on(Paid paid) {}
  }

  static class BadQueue {
    @EbbHandler(kind = "a", queue = "Merchants")
    void on(Paid paid) {}
  }

  static class Deliveries {
    @EbbHandler(kind = "http")
    void on(Paid paid) {}
  }

  static class MoreMerchants extends Merchants {
    @EbbHandler(kind = "hidden")
    void more(Paid paid) {}
  }

  @Configuration
  static class Hidden extends Proxied {
    @Bean
    @Override
    Teller merchants() {
      return new MoreMerchants();
    }
  }

  static List<Arguments> sentences() {
    return List.of(
        Arguments.of(BadKind.class, "The kind of " + BadKind.class.getName() + ".on must be a"),
        Arguments.of(BadQueue.class, "The queue of " + BadQueue.class.getName() + ".on must be a"),
        Arguments.of(Deliveries.class, "so it must be of another kind than http: Ebb's own"),
        Arguments.of(Hidden.class, "more of the bean merchants cannot be called: "));
  }

  @ParameterizedTest
  @MethodSource("sentences")
  void a_method_that_nobody_could_call_is_named(Class<?> beans, String sentence) {
    assertThatThrownBy(() -> found(beans))
        .isInstanceOf(SetupFailure.class)
        .hasMessageContaining(sentence);
  }

  abstract static class Generic<T> {
    @EbbHandler(kind = "generic")
    void on(T args, Run<T> run) {}
  }

  static class OfPaid extends Generic<Paid> {}

  @Test
  void type_parameters_of_a_class_are_resolved() throws Exception {
    assertThat(run(found(OfPaid.class).get("generic"), new Paid("p")).word())
        .isEqualTo("completed");
  }

  @Test
  void a_native_image_keeps_the_method_and_the_fields_of_its_arguments() throws Exception {
    RuntimeHints hints = new RuntimeHints();
    new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Outcomes.class);

    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Outcomes.class.getDeclaredMethod("completes", Paid.class)))
        .accepts(hints);
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Paid.class.getDeclaredMethod("id")))
        .accepts(hints);
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(Merchants.class.getMethod("tell", Paid.class)))
        .rejects(hints);
  }
}
