package dev.ebb.api;

import dev.ebb.api.access.Open;
import dev.ebb.db.queue.Queues;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Pages of another module: one that reads the database, and files. */
@RestController
class Pages implements WebMvcConfigurer {
  static final Mount MOUNT =
      new Mount(
          "/ui",
          Map.of("Cache-Control", "no-cache", "Content-Security-Policy", "default-src 'self'"),
          List.of(Pages.class));

  private final Queues queues;

  Pages(Queues queues) {
    this.queues = queues;
  }

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry.addResourceHandler("/ui/files/**").addResourceLocations("classpath:/dev/ebb/api/");
  }

  @Open
  @GetMapping("/ui/page")
  ResponseEntity<String> page() throws SQLException {
    String body = "<p>" + queues.page(null, 1).queues().size();
    return ResponseEntity.ok().contentType(MediaType.TEXT_HTML).body(body);
  }
}
