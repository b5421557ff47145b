package dev.ebb.api.http;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.HttpEntityMethodProcessor;

/** Writes the answers of handlers. */
public final class AnswerWriter extends HttpEntityMethodProcessor {
  /** What Spring is told that the handler returned. */
  private static final MethodParameter WRITTEN =
      new MethodParameter(ClassUtils.getMethod(Answer.class, "written"), -1);

  public AnswerWriter() {
    super(List.of(new ByteArrayHttpMessageConverter()));
  }

  @Override
  public boolean supportsReturnType(MethodParameter type) {
    return type.getParameterType() == Answer.class;
  }

  @Override
  public void handleReturnValue(
      @Nullable Object answer,
      MethodParameter type,
      ModelAndViewContainer container,
      NativeWebRequest request)
      throws Exception {
    if (!(answer instanceof Answer told)) {
      throw new IllegalStateException(type + " answers nothing");
    }
    try {
      super.handleReturnValue(told.written(), WRITTEN, container, request);
    } catch (IOException | RuntimeException e) {
      told.isUnwritten();
      throw e;
    }
  }
}
