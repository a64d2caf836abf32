// Package oracle is what programs have in common that say, in tests, what upstream's code makes of an input: they read
// questions from standard input and answer each with a line. The C++ side is go_cases.h.
package oracle

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// The standard streams, also where a program gives others to the code that it asks.
var (
	stdin  = os.Stdin
	stdout = os.Stdout
	stderr = os.Stderr
)

var escapes = strings.NewReplacer("\\", "\\\\", "\n", "\\n")

// Serve answers each question "FUNCTION<tab>TEXT", the text in hexadecimal, with the function's result, or with "error: " and
// the error. Line feeds and backslashes in answers are escaped.
func Serve[T string | []byte](functions map[string]func(T) (string, error)) {
	ServeAll(func(name, text string) (string, error) {
		function, ok := functions[name]
		if !ok {
			Exit(fmt.Errorf("no function %q", name))
		}
		return function(T(text))
	})
}

// ServeAll is Serve with one function for all questions.
func ServeAll(answer func(function, text string) (string, error)) {
	ServeLines(func(line string) string {
		function, digits, _ := strings.Cut(line, "\t")
		text, err := hex.DecodeString(digits)
		if err != nil {
			Exit(fmt.Errorf("read question %q: %w", line, err))
		}
		result, err := answer(function, string(text))
		if err != nil {
			result = "error: " + err.Error()
		}
		return escapes.Replace(result) + "\n"
	})
}

// ServeLines writes what answer returns for each line of standard input. A line may have any length.
func ServeLines(answer func(line string) string) {
	in, out := bufio.NewReaderSize(stdin, 1<<20), bufio.NewWriterSize(stdout, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		Check(err)
		_, err = out.WriteString(answer(strings.TrimSuffix(line, "\n")))
		Check(err)
	}
	Check(out.Flush())
}

// Check ends the program where there is an error.
func Check(err error) {
	if err != nil {
		Exit(err)
	}
}

// Exit ends the program, which has failed, and says why.
func Exit(err error) {
	fmt.Fprintln(stderr, err)
	os.Exit(1)
}
