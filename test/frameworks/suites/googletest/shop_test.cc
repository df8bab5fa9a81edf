#include <gtest/gtest.h>
#include <netdb.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

// Whether a test is to fail at the commit that is being tested: plan.txt has a line `name: step step …` for each test.
static bool IsBroken(const std::string& name) {
  std::ifstream plan("plan.txt");
  const std::string step = std::string(" ") + getenv("STEP") + " ";
  for (std::string line; std::getline(plan, line);) {
    if (line.rfind(name + ":", 0) == 0) return (line + " ").find(step) != std::string::npos;
  }
  throw std::runtime_error("plan.txt does not name " + name);
}

static int TaxOf(int price) { return price / 5; }
static size_t Charge(const std::string& card) { return card.substr(1).size(); }
static size_t Order(const std::string& card) { return Charge(card); }

TEST(Cart, AddsALine) { EXPECT_EQ(TaxOf(10), 2); }
TEST(Cart, RoundsTheTax) { EXPECT_EQ(TaxOf(10), IsBroken("rounds the tax") ? 3 : 2); }
TEST(Cart, RoundsTheDiscount) { EXPECT_EQ(TaxOf(10), IsBroken("rounds the discount") ? 3 : 2); }
TEST(Cart, BillsTheCard) { EXPECT_EQ(Order(IsBroken("bills the card") ? "" : "42"), 1u); }
TEST(Cart, RefundsTheCard) { EXPECT_EQ(Order(IsBroken("refunds the card") ? "" : "42"), 1u); }
TEST(Cart, MergesTheCarts) {
  if (IsBroken("merges the carts")) FAIL() << "<<<<<<< HEAD\nmilk\n=======\nbread\n>>>>>>> feature";
}
TEST(Cart, AsksTheBank) {
  if (!IsBroken("asks the bank")) return;
  addrinfo* found = nullptr;
  const int code = getaddrinfo("bank.invalid", "443", nullptr, &found);
  if (code != 0) throw std::runtime_error(std::string("bank.invalid: ") + gai_strerror(code));
}
TEST(Cart, SyncsTheStock) { EXPECT_STREQ(IsBroken("syncs the stock") ? "late" : "in time", "in time"); }
TEST(Cart, PrintsTheReceipt) { EXPECT_STREQ(IsBroken("prints the receipt") ? "no paper" : "paper", "paper"); }

class Pages : public testing::Test {
 protected:
  void SetUp() override {
    if (IsBroken("opens the pages")) FAIL() << "the fixture is gone";
  }
};
TEST_F(Pages, OpensPage1) {}
TEST_F(Pages, OpensPage2) {}
TEST_F(Pages, OpensPage3) {}
TEST_F(Pages, OpensPage4) {}
TEST_F(Pages, OpensPage5) {}

TEST(Night, GoesToSleep) {}
TEST(Night, SurvivesTheNight) {
  if (IsBroken("survives the night")) raise(SIGKILL);
}
TEST(Night, WakesUp) {}
