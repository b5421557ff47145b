package dev.ebb.api.docs;

import dev.ebb.api.access.Open;
import dev.ebb.api.http.Answer;
import dev.ebb.api.server.StaticFiles;
import java.io.IOException;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Swagger UI over the contract. It is open to all, as the contract is: a browser that loads a page
 * sends no token. What a reader tries there goes out with the token that the reader types.
 */
@Controller
public final class DocsPages implements WebMvcConfigurer {
  /** The pages and all their files. */
  public static final String PATH = "/docs";

  /** Of every answer there. Nothing but these files runs, and no other site may frame them. */
  public static final Map<String, String> HEADERS =
      Map.of(
          "Cache-Control",
          "no-cache",
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer");

  private static final String FILES = "dev/ebb/api/docs/";

  private final byte[] index;

  DocsPages() throws IOException {
    index = new ClassPathResource(FILES + "index.html").getContentAsByteArray();
  }

  @GetMapping(PATH)
  @Open
  Answer index() {
    return Answer.text(MediaType.TEXT_HTML, index);
  }

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    StaticFiles.add(registry, PATH + "/*", FILES);
  }
}
