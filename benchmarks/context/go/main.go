// Trees of contexts, as context.cc.
package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"bench/contract"
)

const (
	count       = 10000
	repetitions = 200
)

// A tree holds what its user would hold: every context and the function that cancels it.
type tree struct {
	contexts []context.Context
	cancels  []context.CancelFunc
	ran      sync.WaitGroup // callbacks that have not run
}

func (t *tree) add(parent context.Context, timeout, callback bool) context.Context {
	var ctx context.Context
	var cancel context.CancelFunc
	if timeout {
		ctx, cancel = context.WithTimeout(parent, time.Hour)
	} else {
		ctx, cancel = context.WithCancel(parent)
	}
	t.contexts = append(t.contexts, ctx)
	t.cancels = append(t.cancels, cancel)
	if callback {
		t.ran.Add(1)
		context.AfterFunc(ctx, t.ran.Done)
	}
	return ctx
}

func (t *tree) addLevels(parent context.Context, levels int, callbacks bool) {
	for i := 0; i < 10; i++ {
		child := t.add(parent, false, callbacks && levels == 1)
		if levels > 1 {
			t.addLevels(child, levels-1, callbacks)
		}
	}
}

func newTree(shape string, callbacks bool) *tree {
	t := &tree{}
	root := t.add(context.Background(), false, false)
	switch shape {
	case "flat", "timeouts":
		for i := 0; i < count; i++ {
			t.add(root, shape == "timeouts", callbacks)
		}
	case "chain":
		for i, parent := 0, root; i < count; i++ {
			parent = t.add(parent, false, callbacks)
		}
	case "tree":
		t.addLevels(root, 4, callbacks)
	default:
		fmt.Fprintf(os.Stderr, "make a tree: no shape %q\n", shape)
		os.Exit(2)
	}
	return t
}

// cancel returns when every context is done and every callback has run.
func (t *tree) cancel() time.Duration {
	start := time.Now()
	t.cancels[0]()
	t.ran.Wait()
	elapsed := time.Since(start)
	for i, ctx := range t.contexts {
		if ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "cancel the root: context %d is not done\n", i)
			os.Exit(1)
		}
	}
	return elapsed
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: context flat|chain|tree|timeouts [callbacks]")
		os.Exit(2)
	}
	shape, callbacks := os.Args[1], len(os.Args) > 2 && os.Args[2] == "callbacks"
	empty := contract.Measure()
	first := newTree(shape, callbacks)
	full := contract.Measure()
	contexts := float64(len(first.contexts))
	first.cancel()

	var create, cancel []float64
	for i := 0; i < repetitions; i++ {
		start := time.Now()
		t := newTree(shape, callbacks)
		create = append(create, float64(time.Since(start).Nanoseconds())/contexts)
		cancel = append(cancel, float64(t.cancel().Nanoseconds())/1e6)
	}

	var report contract.Report
	report.Add("create_one", "ns", contract.Median(create))
	report.Add("cancel_all", "ms", contract.Median(cancel))
	report.Add("bytes_per_context", "B", float64(full.RSSAnonBytes-empty.RSSAnonBytes)/contexts)
	report.Print()
}
