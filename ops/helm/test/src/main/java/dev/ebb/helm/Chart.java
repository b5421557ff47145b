package dev.ebb.helm;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The chart in {@code ops/helm/ebb}, rendered by Helm's own code. */
final class Chart {
  /** What a name space and a release are called. */
  static final String NAMESPACE = "pay";

  static final String RELEASE = "ebb";

  /** The oldest Kubernetes that it is for. */
  private static final String OLDEST = "1.27.0";

  private static final ObjectReader YAML =
      new ObjectMapper(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .readerFor(JsonNode.class);

  /**
   * Of an object that Kubernetes stores, the client's own fields are all that it knows. It takes no
   * number for a text.
   */
  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .withCoercionConfig(
              LogicalType.Textual,
              config ->
                  config
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build()
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                  return false;
                }
              });

  private static final Map<String, Class<?>> KINDS =
      Map.of(
          "v1/Service", io.fabric8.kubernetes.api.model.Service.class,
          "apps/v1/Deployment", Deployment.class,
          "batch/v1/Job", Job.class,
          "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
          "networking.k8s.io/v1/Ingress", Ingress.class,
          "monitoring.coreos.com/v1/ServiceMonitor", ServiceMonitor.class);

  private final Path folder;
  private final String release;

  /** The one in that folder. */
  Chart(Path folder) {
    this(folder, RELEASE);
  }

  Chart(Path folder, String release) {
    this.folder = folder;
    this.release = release;
  }

  Helm helm() {
    return new Helm(folder);
  }

  /** What Helm would install, the migration too, which it takes for a hook and does not show. */
  List<JsonNode> render(String values) {
    return render(values, Map.of("migration.annotations", "null"));
  }

  /**
   * What Helm would install beside hooks.
   *
   * @param values a file in the chart's folder {@code ci}
   * @param set more values, by their paths
   * @throws IllegalStateException with what Helm says
   */
  List<JsonNode> render(String values, Map<String, String> set) {
    TemplateCommand command =
        helm()
            .template()
            .withName(release)
            .withNamespace(NAMESPACE)
            .withKubeVersion(OLDEST)
            .withValuesFile(folder.resolve("ci").resolve(values));
    set.forEach(command::set);
    try (MappingIterator<JsonNode> objects = YAML.readValues(command.call())) {
      return objects.readAll().stream().filter(JsonNode::isObject).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads an object as Kubernetes would.
   *
   * @return whether this is of a kind whose fields are known
   * @throws IllegalArgumentException if it has a field that its kind has not, or one that is no
   *     text and has to be
   */
  static boolean read(JsonNode object) {
    Class<?> kind =
        KINDS.get(object.path("apiVersion").asText() + "/" + object.path("kind").asText());
    if (kind == null) {
      return false;
    }
    return STRICT.convertValue(object, kind) != null;
  }

  /** Prints what Helm would install, as one array of JSON: the chart's folder, a file of values. */
  public static void main(String[] arguments) throws IOException {
    List<JsonNode> objects = new Chart(Path.of(arguments[0])).render(arguments[1]);
    System.out.println(new ObjectMapper().writeValueAsString(objects));
  }
}
