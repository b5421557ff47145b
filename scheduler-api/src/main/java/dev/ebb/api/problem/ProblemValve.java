package dev.ebb.api.problem;

import java.io.EOFException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.apache.coyote.BadRequestException;
import org.jspecify.annotations.Nullable;

/** Answers what Tomcat refuses before Spring sees it. */
public final class ProblemValve extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable thrown) {
    int status = response.getStatus();
    Exception broken = request.getCoyoteRequest().getErrorException();
    if (status == 400 && isCut(broken)) {
      // Tomcat calls it a bad request, but the request broke off, perhaps because this server
      // stops.
      response.getCoyoteResponse().action(ActionCode.CLOSE_NOW, broken);
      return;
    }
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      response.resetBuffer();
      RefusalCause problem =
          thrown == null || status < 500
              ? ProblemResolver.plain(ProblemCode.ofStatus(status))
              : ProblemResolver.internal(request, thrown);
      ProblemWriter.write(response, status, request.getRequestURI(), problem);
      response.finishResponse();
    } catch (IOException | IllegalStateException clientIsGone) {
      container.getLogger().debug("The client did not wait for its answer", clientIsGone);
    }
  }

  /** Whether the connection failed while a body was read; neither its end nor a wrong chunk. */
  private static boolean isCut(@Nullable Exception broken) {
    return broken instanceof IOException
        && !(broken instanceof EOFException)
        && !(broken instanceof BadRequestException);
  }
}
