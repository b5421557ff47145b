package dev.ebb.spring;

import dev.ebb.client.EbbJdbc;
import dev.ebb.client.EbbJson;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** The beans of applications that submit in their own database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DataSourceUtils.class)
@ConditionalOnBean(DataSource.class)
class Submits {
  @Bean
  @ConditionalOnMissingBean
  EbbJdbc ebbJdbc(ObjectProvider<EbbJson> jsons) {
    EbbJson json = jsons.getIfUnique();
    return json == null ? EbbJdbc.create() : EbbJdbc.create(json);
  }

  /** Made for those that take it: an application may have databases, and Ebb's in none. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  EbbTemplate ebbTemplate(
      EbbJdbc ebb,
      EbbProperties properties,
      ListableBeanFactory beans,
      @EbbDataSource ObjectProvider<DataSource> marked) {
    String name = properties.dataSource();
    DataSource source =
        name == null ? markedOrOnly(marked.getIfAvailable(), beans) : named(name, beans);
    if (properties.schema() == EbbProperties.Schema.VALIDATE) {
      SchemaCheck.check(source);
    }
    return new EbbTemplate(ebb, source, properties.requireTransaction());
  }

  private static DataSource named(String name, ListableBeanFactory beans) {
    if (beans.containsBean(name) && beans.isTypeMatch(name, DataSource.class)) {
      return beans.getBean(name, DataSource.class);
    }
    throw new SetupFailure(
        "ebb.data-source is " + name + ", and the data sources are " + names(beans) + ".");
  }

  private static DataSource markedOrOnly(@Nullable DataSource marked, ListableBeanFactory beans) {
    DataSource source =
        marked == null ? beans.getBeanProvider(DataSource.class).getIfUnique() : marked;
    if (source == null) {
      throw new SetupFailure(
          "The data sources are "
              + names(beans)
              + ", and none is primary: mark that of Ebb's schema with @EbbDataSource, or name it"
              + " in ebb.data-source.");
    }
    return source;
  }

  private static String names(ListableBeanFactory beans) {
    return String.join(" and ", beans.getBeanNamesForType(DataSource.class));
  }
}
