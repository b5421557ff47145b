package dev.ebb.core;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the numbers of payment cards in a text, in time linear in its length: 13 to 19 digits that
 * begin as an issuer's do, have a length that this issuer uses, and keep Luhn's rule; in one piece,
 * or with spaces or hyphens where cards are embossed with a gap.
 *
 * <p>One in ten other numbers with such a beginning and length keeps Luhn's rule by chance. What is
 * part of a longer row of digits, of a decimal fraction or of a long hexadecimal word is no card
 * number. Nor is what has 13 digits and begins with 4: no such Visa card is left, and bar codes of
 * German goods look like that.
 */
public final class CardNumbers {
  private static final int LEAST = 13;
  private static final int MOST = 19;

  /** The last digits, which stay to be seen. */
  private static final int SHOWN = 4;

  /** From here on, a word of hexadecimal digits is an id or a digest. */
  private static final int HEX_WORD = 20;

  private static final int LONGEST_GROUPED = MOST + 4;
  private static final List<Pattern> GROUPED =
      List.of(
          grouped("\\d{4}([ -])\\d{4}\\1\\d{4}\\1\\d{4}\\1\\d{1,3}"),
          grouped("\\d{4}([ -])\\d{4}\\1\\d{4}\\1\\d{4}"),
          grouped("\\d{4}([ -])\\d{6}\\1\\d{4,5}"),
          grouped("\\d{6}([ -])\\d{13}"));

  private static final List<Issuer> ISSUERS =
      List.of(
          new Issuer(2200, 2204, 16, 19), // Mir
          new Issuer(2221, 2720, 16, 16), // Mastercard
          new Issuer(3000, 3059, 14, 19), // Diners Club
          new Issuer(3095, 3095, 14, 19), // Diners Club
          new Issuer(3400, 3499, 15, 15), // American Express
          new Issuer(3528, 3589, 16, 19), // JCB
          new Issuer(3600, 3699, 14, 19), // Diners Club
          new Issuer(3700, 3799, 15, 15), // American Express
          new Issuer(3800, 3999, 14, 19), // Diners Club
          new Issuer(4000, 4999, 16, 16), // Visa
          new Issuer(4000, 4999, 19, 19), // Visa
          new Issuer(5000, 5099, 13, 19), // Maestro, Verve, Elo
          new Issuer(5100, 5599, 16, 16), // Mastercard
          new Issuer(5600, 5899, 13, 19), // Maestro
          new Issuer(6000, 6999, 13, 19), // Maestro, Discover, UnionPay, RuPay
          new Issuer(8100, 8199, 16, 19), // UnionPay
          new Issuer(8200, 8299, 16, 16), // RuPay
          new Issuer(9792, 9792, 16, 16)); // Troy

  /** The first four digits, and the lengths, from and to. */
  private record Issuer(int first, int last, int least, int most) {
    boolean issues(int start, int length) {
      return start >= first && start <= last && length >= least && length <= most;
    }
  }

  private CardNumbers() {}

  private static Pattern grouped(String digits) {
    return Pattern.compile("(?<![0-9A-Za-z])" + digits + "(?![0-9A-Za-z])");
  }

  /** Whether the text holds one. */
  public static boolean areIn(String text) {
    return !masked(text).equals(text);
  }

  /** The text with a {@code *} for each of their digits but the last four. */
  public static String masked(String text) {
    StringBuilder masked = new StringBuilder(text);
    int at = 0;
    while (at < text.length()) {
      int endOfDigits = endOfDigits(text, at);
      int end = end(text, at, endOfDigits);
      if (end > at) {
        hide(masked, at, end);
      }
      at = Math.max(Math.max(end, endOfDigits), at + 1);
    }
    return masked.toString();
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Where the card number ends that begins there, -1 if none does. */
  private static int end(String text, int start, int endOfDigits) {
    int digits = endOfDigits - start;
    if (digits >= LEAST && digits <= MOST) {
      boolean isWhole = !isFraction(text, start, endOfDigits) && !isHex(text, start, endOfDigits);
      return isWhole && isCard(text.substring(start, endOfDigits)) ? endOfDigits : -1;
    }
    return digits == 4 || digits == 6 ? endOfGroups(text, start) : -1;
  }

  private static int endOfGroups(String text, int start) {
    int limit = Math.min(text.length(), start + LONGEST_GROUPED);
    for (Pattern pattern : GROUPED) {
      Matcher groups = pattern.matcher(text).region(start, limit).useTransparentBounds(true);
      if (groups.lookingAt() && isCard(groups.group().replaceAll("[ -]", ""))) {
        return groups.end();
      }
    }
    return -1;
  }

  private static boolean isFraction(String text, int start, int end) {
    return (start > 1 && text.charAt(start - 1) == '.' && isDigit(text.charAt(start - 2)))
        || (end + 1 < text.length() && text.charAt(end) == '.' && isDigit(text.charAt(end + 1)));
  }

  private static boolean isHex(String text, int start, int end) {
    int from = start;
    int to = end;
    while (from > 0 && to - from < HEX_WORD && isHexDigit(text.charAt(from - 1))) {
      from--;
    }
    while (to < text.length() && to - from < HEX_WORD && isHexDigit(text.charAt(to))) {
      to++;
    }
    return to - from >= HEX_WORD;
  }

  private static boolean isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isCard(String digits) {
    int start = Integer.parseInt(digits.substring(0, 4));
    return ISSUERS.stream().anyMatch(issuer -> issuer.issues(start, digits.length()))
        && keepsLuhn(digits);
  }

  private static boolean keepsLuhn(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int doubled = i % 2 == 0 ? digit : 2 * digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 == 0;
  }

  private static void hide(StringBuilder text, int start, int end) {
    int left = SHOWN;
    for (int i = end - 1; i >= start; i--) {
      if (isDigit(text.charAt(i)) && left-- <= 0) {
        text.setCharAt(i, '*');
      }
    }
  }
}
