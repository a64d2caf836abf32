// Package contract is what a benchmarked Go program says to tools/bench; contract.h is the same for C++.
package contract

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"sort"
	"testing"
	"time"
)

// Memory of this process, as the kernel counts it.
type Memory struct {
	RSSAnonBytes int64 // resident memory without a file behind it: heap and stacks
	PSSBytes     int64 // everything resident, shared pages divided among their users
}

var stdin = bufio.NewReader(os.Stdin)

// Measure asks tools/bench to measure this process now, and waits until it has. It collects garbage and gives
// free memory back to the kernel first, as the C++ twin does. Zeros when nobody answers.
func Measure() (m Memory) {
	debug.FreeOSMemory()
	fmt.Println("@measure")
	line, _ := stdin.ReadString('\n')
	fmt.Sscan(line, &m.RSSAnonBytes, &m.PSSBytes)
	return m
}

// Median is zero of nothing. It sorts the values.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sort.Float64s(values)
	half := len(values) / 2
	if len(values)%2 == 1 {
		return values[half]
	}
	return (values[half-1] + values[half]) / 2
}

type metric struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
}

// Report holds the program's own metrics.
type Report struct {
	Metrics []metric `json:"metrics"`
}

// Add adds a metric; name and unit are the same in every peer.
func (r *Report) Add(name, unit string, value float64) {
	r.Metrics = append(r.Metrics, metric{name, unit, value})
}

// Bench adds the nanoseconds that one iteration of f takes, the twin of a google-benchmark part.
func (r *Report) Bench(name string, f func(*testing.B)) {
	result := testing.Benchmark(f)
	r.Add(name, "ns", float64(result.T.Nanoseconds())/float64(max(result.N, 1)))
}

// BenchTime sets how long each Bench runs; the default is a second.
func BenchTime(d time.Duration) {
	testing.Init()
	if err := flag.Set("test.benchtime", d.String()); err != nil {
		panic(err)
	}
}

// Print prints the last line of the program's output.
func (r *Report) Print() {
	line, err := json.Marshal(r)
	if err != nil {
		fmt.Fprintln(os.Stderr, "print metrics:", err)
		os.Exit(1)
	}
	fmt.Println(string(line))
}
