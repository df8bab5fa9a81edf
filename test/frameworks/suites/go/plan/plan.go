// Package plan says which test is to fail at the commit that is being tested.
package plan

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// IsBroken reads plan.txt, which has a line `name: step step …` for each test.
func IsBroken(name string) bool {
	_, file, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "..", "plan.txt"))
	if err != nil {
		panic(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, name+":") {
			continue
		}
		for _, step := range strings.Fields(line[len(name)+1:]) {
			if step == os.Getenv("STEP") {
				return true
			}
		}
		return false
	}
	panic("plan.txt does not name " + name)
}
