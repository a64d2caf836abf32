// Command cel_oracle answers what an API server makes of expressions. A request is the name of a function, a tab, and in
// hexadecimal its arguments, separated by zero bytes.
//
//	evaluate     EXPRESSION OBJECT   the value, "refused: " and why the expression does not compile, or "failed: " and why
//	                                 it has no value; the variables are self, which is the object (of type dyn), n, s and l
//	cost         EXPRESSION OBJECT   what the evaluation costs; "" for what evaluate refuses or what fails
//	conformance  FILE                for each test of a file of cel.dev/expr that concerns Kubernetes: its name, the expression
//	                                 and what evaluate says; then name and value of each variable. The fields are in
//	                                 hexadecimal, separated by spaces, and the tests by semicolons
package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"regexp"
	"sort"
	"strings"

	conformance "cel.dev/expr/conformance/test"
	// The files refer to these messages.
	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"google.golang.org/protobuf/encoding/prototext"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"kube/tests/oracle"
)

const (
	costLimit      = 1000000
	checkFrequency = 100
)

type answer struct {
	text string
	cost string
}

func newEnv(options ...cel.EnvOption) *cel.Env {
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 36))
	set, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        options,
	})
	oracle.Check(err)
	return set.StoredExpressionsEnv()
}

var env = newEnv(
	cel.Variable("self", cel.DynType),
	cel.Variable("n", cel.IntType),
	cel.Variable("s", cel.StringType),
	cel.Variable("l", cel.ListType(cel.IntType)))

func run(env *cel.Env, expression string, variables map[string]any) (result answer) {
	// A check of literals crashes for an optional element of type dyn.
	defer func() {
		if crash := recover(); crash != nil {
			result = answer{text: fmt.Sprint("refused: internal error: ", crash)}
		}
	}()
	ast, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		text := issues.String()
		// The parser's lists of what it expected are not the same.
		if strings.Contains(text, "Syntax error") {
			text = "syntax"
		}
		return answer{text: "refused: " + text}
	}
	program, err := env.Program(ast, cel.CostLimit(costLimit), cel.InterruptCheckFrequency(checkFrequency))
	if err != nil {
		return answer{text: "refused: " + err.Error()}
	}
	value, details, err := program.ContextEval(context.Background(), variables)
	if err != nil {
		return answer{text: "failed: " + err.Error()}
	}
	return answer{text: types.Format(value), cost: fmt.Sprint(*details.ActualCost())}
}

func ask(text string) answer {
	expression, object, _ := strings.Cut(text, "\x00")
	var self any
	oracle.Check(kjson.Unmarshal([]byte(object), &self))
	return run(env, expression, map[string]any{
		"self": self,
		"n":    int64(7),
		"s":    "text",
		"l":    []int64{1, 2, 3},
	})
}

func evaluate(text string) (string, error) { return ask(text).text, nil }
func cost(text string) (string, error)     { return ask(text).cost, nil }

var messageLiteral = regexp.MustCompile(`[A-Z]\w*\s*\{|NullValue`)

// values returns the variables of a test, or false if it is about protobuf messages.
func values(test *conformance.SimpleTest) (map[string]any, bool) {
	if test.Container != "" || test.DisableMacros || test.CheckOnly || messageLiteral.MatchString(test.Expr) {
		return nil, false
	}
	for _, declaration := range test.TypeEnv {
		if declaration.GetIdent() == nil || declaration.GetIdent().GetType().GetMessageType() != "" {
			return nil, false
		}
	}
	variables := map[string]any{}
	for name, binding := range test.Bindings {
		if strings.Contains(name, ".") || binding.GetValue() == nil || binding.GetValue().GetObjectValue() != nil {
			return nil, false
		}
		value, err := cel.ProtoAsValue(types.DefaultTypeAdapter, binding.GetValue())
		if err != nil {
			return nil, false
		}
		variables[name] = value
	}
	return variables, true
}

func lineOf(test *conformance.SimpleTest, variables map[string]any) string {
	names := []string{}
	for name := range variables {
		names = append(names, name)
	}
	sort.Strings(names)
	options := []cel.EnvOption{}
	for _, name := range names {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	fields := []string{test.Name, test.Expr, run(newEnv(options...), test.Expr, variables).text}
	for _, name := range names {
		fields = append(fields, name, types.Format(types.DefaultTypeAdapter.NativeToValue(variables[name])))
	}
	for i, field := range fields {
		fields[i] = hex.EncodeToString([]byte(field))
	}
	return strings.Join(fields, " ")
}

func conformanceFile(text string) (string, error) {
	file := &conformance.SimpleTestFile{}
	if err := prototext.Unmarshal([]byte(text), file); err != nil {
		return "", err
	}
	lines := []string{}
	for _, section := range file.Section {
		for _, test := range section.Test {
			if variables, ok := values(test); ok {
				lines = append(lines, lineOf(test, variables))
			}
		}
	}
	return strings.Join(lines, ";"), nil
}

func main() {
	oracle.Serve(map[string]func(string) (string, error){
		"evaluate":    evaluate,
		"cost":        cost,
		"conformance": conformanceFile,
	})
}
