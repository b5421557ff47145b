package dev.ebb.app;

import dev.ebb.app.settings.CannotStart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words of a command line.
 *
 * @param words without {@code --config FILE}
 * @param config the file that it names; {@code null} for none
 */
public record Arguments(List<String> words, @Nullable String config) {
  /** What commands say that take no others, behind their word. */
  public static final String NO_OTHERS =
      " takes no arguments but --config FILE: settings are environment variables, or stand in that"
          + " file. See ./ebb help.";

  private static final String CONFIG = "--config";

  public Arguments {
    words = List.copyOf(words);
  }

  /** Takes {@code --config FILE} or {@code --config=FILE} out, wherever it is. */
  public static Arguments of(String... arguments) {
    List<String> words = new ArrayList<>();
    List<String> configs = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].startsWith(CONFIG + "=")) {
        configs.add(arguments[i].substring(CONFIG.length() + 1));
      } else if (arguments[i].equals(CONFIG)) {
        i++;
        configs.add(i < arguments.length ? arguments[i] : "");
      } else {
        words.add(arguments[i]);
      }
    }
    if (configs.size() > 1 || configs.contains("")) {
      throw CannotStart.wrongUse("--config FILE must be given once, with the path of a file.");
    }
    return new Arguments(words, configs.isEmpty() ? null : configs.getFirst());
  }

  /** Those behind the command. */
  List<String> rest() {
    return words.subList(1, words.size());
  }
}
