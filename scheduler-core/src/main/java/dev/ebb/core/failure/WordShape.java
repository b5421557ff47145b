package dev.ebb.core.failure;

import dev.ebb.core.UuidText;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Knows words that are a host, an id or a time as a whole. */
final class WordShape {
  /** No longer word is one: it bounds what the patterns cost. */
  private static final int LONGEST = 270;

  private static final Pattern EMAIL =
      Pattern.compile("[^@\\s]{1,64}+@[A-Za-z0-9-]++(\\.[A-Za-z0-9-]++){1,8}+");
  private static final Pattern DAY =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.+-]{1,40}+Z?)?");
  private static final Pattern CLOCK =
      Pattern.compile("[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9}+)?)?(Z|[+-][0-9:]{2,6}+)?");
  private static final Pattern IP4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}(:[0-9]{1,5})?");
  private static final Pattern IP6 = Pattern.compile("[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){2,7}");
  private static final Pattern HOST =
      Pattern.compile("[a-z0-9_-]{1,63}+(\\.[a-z0-9_-]{1,63}+){1,8}+(:[0-9]{1,5}+)?");
  private static final Pattern LOCAL_HOST = Pattern.compile("localhost(:[0-9]{1,5}+)?");

  /** Last labels, besides those of countries, by which a name with one point is a host. */
  private static final Set<String> ENDINGS =
      Set.of(
          "com",
          "net",
          "org",
          "biz",
          "info",
          "dev",
          "app",
          "shop",
          "store",
          "cloud",
          "online",
          "local",
          "internal",
          "lan",
          "home",
          "test",
          "example",
          "invalid");

  private WordShape() {}

  /** What the word is; {@code null} if its parts have to be looked at. */
  static @Nullable Placeholder of(String word) {
    if (word.length() > LONGEST) {
      return null;
    }
    if (is(EMAIL, word)) {
      return Placeholder.EMAIL;
    }
    if (is(DAY, word) || is(CLOCK, word)) {
      return Placeholder.TIME;
    }
    if (is(UuidText.PATTERN, word)) {
      return Placeholder.ID;
    }
    boolean host = is(IP4, word) || is(IP6, word) || is(LOCAL_HOST, word) || isHost(word);
    return host ? Placeholder.HOST : null;
  }

  private static boolean is(Pattern pattern, String word) {
    return pattern.matcher(word).matches();
  }

  /** Names of Java have upper case letters in them, and versions end with a digit. */
  private static boolean isHost(String word) {
    if (!HOST.matcher(word).matches()) {
      return false;
    }
    int colon = word.indexOf(':');
    String name = colon < 0 ? word : word.substring(0, colon);
    String last = name.substring(name.lastIndexOf('.') + 1);
    if (last.length() < 2 || !last.chars().allMatch(c -> c >= 'a' && c <= 'z')) {
      return false;
    }
    boolean severalPoints = name.indexOf('.') != name.lastIndexOf('.');
    return colon > 0 || severalPoints || last.length() == 2 || ENDINGS.contains(last);
  }
}
