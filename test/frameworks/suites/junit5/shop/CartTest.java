package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.Plan.isBroken;

import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CartTest {
  @Test
  void addsALine() {
    assertEquals(2, Shop.taxOf(10));
  }

  @Test
  void roundsTheTax() {
    assertEquals(isBroken("rounds the tax") ? 3 : 2, Shop.taxOf(10));
  }

  @Test
  void roundsTheDiscount() {
    assertEquals(isBroken("rounds the discount") ? 3 : 2, Shop.taxOf(10));
  }

  @Test
  void billsTheCard() {
    assertEquals(2, Shop.order(isBroken("bills the card") ? Map.of() : Map.of("number", "42")));
  }

  @Test
  void refundsTheCard() {
    assertEquals(2, Shop.order(isBroken("refunds the card") ? Map.of() : Map.of("number", "42")));
  }

  @Test
  void mergesTheCarts() {
    if (isBroken("merges the carts")) throw new IllegalStateException("<<<<<<< HEAD\nmilk\n=======\nbread\n>>>>>>> feature");
  }

  @Test
  void asksTheBank() throws Exception {
    if (isBroken("asks the bank")) InetAddress.getByName("bank.invalid");
  }

  @Test
  void syncsTheStock() {
    assertEquals("in time", isBroken("syncs the stock") ? "late" : "in time");
  }

  @Test
  void printsTheReceipt() {
    assertEquals("paper", isBroken("prints the receipt") ? "no paper" : "paper");
  }
}
