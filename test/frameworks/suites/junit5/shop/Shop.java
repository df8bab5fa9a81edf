package shop;

import java.util.Map;

public class Shop {
  static int taxOf(int price) {
    return price / 5;
  }

  static int order(Map<String, String> card) {
    return charge(card);
  }

  static int charge(Map<String, String> card) {
    return card.get("number").length();
  }
}
