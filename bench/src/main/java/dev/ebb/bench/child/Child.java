package dev.ebb.bench.child;

import dev.ebb.bench.contender.Entrant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The process in which one system works: it answers requests until its input ends. */
final class Child {
  private Child() {}

  /**
   * Runs until standard input ends.
   *
   * @param arguments the system's id
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // A library that prints must not break the protocol.
    System.setOut(System.err);
    Logger.getLogger("").setLevel(Level.SEVERE);
    Desk desk = new Desk(Entrant.of(arguments[0]));
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      answers.println(Lines.write(desk.answer(Lines.request(line))));
    }
    System.exit(0);
  }
}
