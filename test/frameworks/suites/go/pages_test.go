package shop

import (
	"fmt"
	"testing"

	"shop/plan"
)

func TestPages(t *testing.T) {
	for page := 1; page <= 5; page++ {
		t.Run(fmt.Sprintf("opens page %d", page), func(t *testing.T) {
			if plan.IsBroken("opens the pages") {
				t.Fatal("the fixture is gone")
			}
		})
	}
}
