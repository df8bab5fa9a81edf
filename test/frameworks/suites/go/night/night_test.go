package night

import (
	"os"
	"syscall"
	"testing"

	"shop/plan"
)

func TestGoesToSleep(t *testing.T) {}

func TestSurvivesTheNight(t *testing.T) {
	if plan.IsBroken("survives the night") {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

func TestWakesUp(t *testing.T) {}
