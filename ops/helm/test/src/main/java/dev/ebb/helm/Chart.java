package dev.ebb.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
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
      new ObjectMapper(new YAMLFactory()).readerFor(JsonNode.class);

  /** Of an object that Kubernetes stores, the client's own fields are all that it knows. */
  private static final ObjectMapper STRICT =
      new ObjectMapper()
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

  /** The one in that folder. */
  Chart(Path folder) {
    this.folder = folder;
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
            .withName(RELEASE)
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
   * @throws IllegalArgumentException if it has a field that its kind has not
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
