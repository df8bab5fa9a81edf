package shop

import (
	"net"
	"testing"

	"shop/plan"
)

func expectTax(t *testing.T, name string) {
	t.Helper()
	want := 2
	if plan.IsBroken(name) {
		want = 3
	}
	if tax := taxOf(10); tax != want {
		t.Errorf("tax is %d, want %d", tax, want)
	}
}

func expectOrder(t *testing.T, name string) {
	t.Helper()
	one := card{number: "42"}
	if plan.IsBroken(name) {
		one = card{}
	}
	if _, err := order(one); err != nil {
		t.Fatal(err)
	}
}

func TestAddsALine(t *testing.T) {}

func TestRoundsTheTax(t *testing.T) { expectTax(t, "rounds the tax") }

func TestRoundsTheDiscount(t *testing.T) { expectTax(t, "rounds the discount") }

func TestBillsTheCard(t *testing.T) { expectOrder(t, "bills the card") }

func TestRefundsTheCard(t *testing.T) { expectOrder(t, "refunds the card") }

func TestMergesTheCarts(t *testing.T) {
	if plan.IsBroken("merges the carts") {
		t.Fatal("<<<<<<< HEAD\nmilk\n=======\nbread\n>>>>>>> feature")
	}
}

func TestAsksTheBank(t *testing.T) {
	if plan.IsBroken("asks the bank") {
		if _, err := net.LookupHost("bank.invalid"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSyncsTheStock(t *testing.T) {
	if plan.IsBroken("syncs the stock") {
		t.Log("stock: late")
		t.Error("the stock is late")
	}
}

func TestPrintsTheReceipt(t *testing.T) {
	if plan.IsBroken("prints the receipt") {
		t.Error("no paper")
	}
}
