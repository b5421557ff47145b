package dev.ebb.worker.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpMessage;

/**
 * Where the body of an answer ends (RFC 9112, section 6.3), for every head that there is: what its
 * headers do not say, or say in two ways, ends with the connection, which is then not used again.
 */
final class BodyLength implements ContentLengthStrategy {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  @Override
  public long determineLength(HttpMessage message) {
    Findings findings = Exchange.findings();
    if (findings.faults().contains(Fault.HEAD_CUT)) {
      return 0;
    }
    List<String> codings =
        values(message, "transfer-encoding").stream().filter(coding -> !coding.isEmpty()).toList();
    List<String> lengths = values(message, "content-length");
    if (codings.size() > 1 || lengths.size() > 1 || (!codings.isEmpty() && !lengths.isEmpty())) {
      findings.odd();
    }
    List<String> applied = codings.stream().filter(coding -> !coding.equals("identity")).toList();
    return applied.isEmpty() ? counted(lengths, findings) : coded(applied, findings);
  }

  private static long coded(List<String> codings, Findings findings) {
    if (codings.stream().anyMatch(coding -> !coding.equals("chunked"))) {
      findings.add(Fault.CODING_UNKNOWN);
    }
    return codings.getLast().equals("chunked") ? CHUNKED : UNDEFINED;
  }

  private static long counted(List<String> lengths, Findings findings) {
    if (lengths.isEmpty()) {
      return UNDEFINED;
    }
    List<String> different = lengths.stream().distinct().toList();
    if (different.size() == 1 && NUMBER.matcher(different.getFirst()).matches()) {
      return Long.parseLong(different.getFirst());
    }
    findings.add(Fault.LENGTH_UNREADABLE);
    return UNDEFINED;
  }

  /** All of the headers of this name, and each may be a list. */
  private static List<String> values(HttpMessage message, String name) {
    return Stream.of(message.getHeaders(name))
        .map(Header::getValue)
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(value -> value.strip().toLowerCase(Locale.ROOT))
        .toList();
  }
}
