// Renders the templates of a Helm chart as Helm does: with Go's text/template, the functions of sprig, and the functions
// that Helm adds to them and this chart uses. It reads {"templates": {name: text}, "values": {}, "release": {},
// "chart": {}} from standard input and writes {name: text} to standard output.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

type input struct {
	Templates map[string]string
	Values    map[string]interface{}
	Release   map[string]interface{}
	Chart     map[string]interface{}
}

func main() {
	if err := render(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render() error {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	root := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	// Helm takes these two away, because a chart must not read the machine.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	root.Funcs(functions)
	for name, text := range given.Templates {
		if _, err := root.New(name).Parse(text); err != nil {
			return err
		}
	}
	data := map[string]interface{}{"Values": given.Values, "Release": given.Release, "Chart": given.Chart}
	rendered := map[string]string{}
	for name := range given.Templates {
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		if err := root.ExecuteTemplate(&text, name, data); err != nil {
			return err
		}
		rendered[name] = text.String()
	}
	return json.NewEncoder(os.Stdout).Encode(rendered)
}
