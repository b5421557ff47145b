package dev.ebb.core.schedule;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/** Lists for people: commas, and an "and" before the last. */
final class Listing {
  /** Fewer values are listed whole. */
  private static final int LONG = 6;

  private Listing() {}

  static String and(List<String> parts) {
    int last = parts.size() - 1;
    return last < 1
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }

  /** The values in their order: three in a row as a range, and many equal steps by their ends. */
  static String of(BitSet values, IntFunction<String> name) {
    int first = values.nextSetBit(0);
    int step = step(values);
    if (step > 1 && values.cardinality() >= LONG) {
      List<String> ends =
          List.of(
              name.apply(first),
              name.apply(first + step),
              name.apply(first + 2 * step),
              "…",
              name.apply(values.length() - 1));
      return String.join(", ", ends);
    }
    return and(ranges(values, name));
  }

  /** The number and the unit before them, as in {@code minutes 5 and 10}. */
  static String of(String unit, BitSet values) {
    return unit + (values.cardinality() > 1 ? "s " : " ") + of(values, Integer::toString);
  }

  private static List<String> ranges(BitSet values, IntFunction<String> name) {
    List<String> ranges = new ArrayList<>();
    for (int first = values.nextSetBit(0); first >= 0; ) {
      int end = values.nextClearBit(first);
      ranges.add(name.apply(first));
      if (end - first > 2) {
        ranges.set(ranges.size() - 1, name.apply(first) + " to " + name.apply(end - 1));
      } else if (end - first == 2) {
        ranges.add(name.apply(first + 1));
      }
      first = values.nextSetBit(end);
    }
    return ranges;
  }

  /** By how much each value is more than the one before; 0 if they differ. */
  private static int step(BitSet values) {
    int first = values.nextSetBit(0);
    int step = values.nextSetBit(first + 1) - first;
    int value = first;
    for (int next = values.nextSetBit(first + 1); next >= 0; next = values.nextSetBit(next + 1)) {
      if (next - value != step) {
        return 0;
      }
      value = next;
    }
    return step;
  }
}
