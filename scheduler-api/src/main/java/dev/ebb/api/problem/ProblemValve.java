package dev.ebb.api.problem;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/** Answers what Tomcat refuses before Spring sees it. */
public final class ProblemValve extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable thrown) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      response.resetBuffer();
      Problem problem =
          thrown == null || status < 500
              ? ProblemResolver.plain(ProblemCode.ofStatus(status))
              : ProblemResolver.internal(request, thrown);
      ProblemWriter.write(response, status, request.getRequestURI(), problem);
      response.finishResponse();
    } catch (IOException | IllegalStateException clientIsGone) {
      container.getLogger().debug("The client did not wait for its answer", clientIsGone);
    }
  }
}
