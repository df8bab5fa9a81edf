package shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Says which tests are to fail: plan.txt has a line `name: step step …` for each. */
class Plan {
  static boolean isBroken(String name) {
    try {
      String line = Files.readAllLines(Path.of("plan.txt")).stream().filter(l -> l.startsWith(name + ":")).findFirst().get();
      return (line + " ").contains(" " + System.getenv("STEP") + " ");
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }
}
