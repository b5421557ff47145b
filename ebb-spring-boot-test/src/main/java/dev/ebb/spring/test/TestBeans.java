package dev.ebb.spring.test;

import dev.ebb.client.EbbJson;
import dev.ebb.client.EbbJsons;
import dev.ebb.spring.EbbHandlers;
import dev.ebb.spring.EbbTemplate;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** What {@link EbbTest} adds to an application. */
@Configuration(proxyBeanMethods = false)
class TestBeans {
  private static final String JOBS = "ebbJobs";

  /** Scripts of the application may name Ebb's functions, as in its production. */
  private static final List<String> MIGRATE = List.of("flywayInitializer", "liquibase");

  /** Makes the schema before anything can submit: a bean may do that as soon as it is there. */
  @Bean
  static BeanPostProcessor ebbTestSchema() {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof EbbTemplate ebb) {
          new TestSchema(ebb.dataSource()).make();
        }
        return bean;
      }
    };
  }

  @Bean
  static BeanFactoryPostProcessor ebbTestSchemaComesFirst() {
    return beans -> {
      for (String name : MIGRATE) {
        if (beans.containsBeanDefinition(name)) {
          BeanDefinition migrates = beans.getBeanDefinition(name);
          migrates.setDependsOn(StringUtils.addStringToArray(migrates.getDependsOn(), JOBS));
        }
      }
    };
  }

  @Bean(JOBS)
  EbbJobs ebbJobs(
      ObjectProvider<EbbTemplate> templates, EbbHandlers handlers, ObjectProvider<EbbJson> jsons) {
    EbbTemplate ebb = templates.getIfAvailable();
    if (ebb == null) {
      throw new IllegalStateException(
          "@EbbTest needs the PostgreSQL of the application, and this test has no data source.");
    }
    return new EbbJobs(ebb.dataSource(), handlers, jsons.getIfUnique(EbbJsons::ofClassPath));
  }
}
