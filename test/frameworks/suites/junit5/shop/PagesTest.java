package shop;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PagesTest {
  @BeforeEach
  void openPages() {
    if (Plan.isBroken("opens the pages")) throw new IllegalStateException("the fixture is gone");
  }

  @Test
  void opensPage1() {}

  @Test
  void opensPage2() {}

  @Test
  void opensPage3() {}

  @Test
  void opensPage4() {}

  @Test
  void opensPage5() {}
}
