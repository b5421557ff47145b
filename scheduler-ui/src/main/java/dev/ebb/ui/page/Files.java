package dev.ebb.ui.page;

import dev.ebb.api.server.StaticFiles;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The scripts and the style sheet. */
public final class Files implements WebMvcConfigurer {
  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    StaticFiles.add(registry, View.ROOT + "/files/*", "dev/ebb/ui/files/");
  }
}
