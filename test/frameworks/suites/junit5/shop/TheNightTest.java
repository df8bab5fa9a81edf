package shop;

import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodName.class)
class TheNightTest {
  @Test
  void goesToSleep() {}

  @Test
  void survivesTheNight() {
    if (Plan.isBroken("survives the night")) Runtime.getRuntime().halt(137);
  }

  @Test
  void wakesUp() {}
}
