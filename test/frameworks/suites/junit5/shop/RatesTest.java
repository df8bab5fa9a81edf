package shop;

import org.junit.jupiter.api.Test;

class RatesTest {
  static final int RATE = readRate();

  static int readRate() {
    if (Plan.isBroken("reads the rates")) throw new IllegalStateException("the rates cannot be loaded");
    return 1;
  }

  @Test
  void readsTheRates() {}
}
