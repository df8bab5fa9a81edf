package rates

import (
	"testing"

	"shop/plan"
)

func init() {
	if plan.IsBroken("reads the rates") {
		panic("the rates cannot be loaded")
	}
}

func TestReadsTheRates(t *testing.T) {}
