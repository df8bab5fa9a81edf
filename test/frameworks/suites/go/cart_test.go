package shop

import (
	"os"
	"testing"
)

func TestAddsALine(t *testing.T) {}

func TestRoundsTheTax(t *testing.T) {
	if os.Getenv("STEP") != "" {
		t.Errorf("tax is %d, want %d", 2, 3)
	}
}
