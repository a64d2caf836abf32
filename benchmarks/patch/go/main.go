// The twins of patch.cc, under the same names. With a folder alone it writes what both read.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"bench/contract"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// atLeast is how long each part is repeated.
const atLeast = 500 * time.Millisecond

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "patch:", err)
		os.Exit(1)
	}
}

// A part runs from text to text, or from objects to an object.
type part struct {
	name string
	run  func() (any, error)
}

func decode(text []byte) *appsv1.Deployment {
	object := &appsv1.Deployment{}
	check(json.Unmarshal(text, object))
	return object
}

// As controllers make patches of the objects they changed.
func twoWayOfObjects(original, modified *appsv1.Deployment) ([]byte, error) {
	from, err := json.Marshal(original)
	if err != nil {
		return nil, err
	}
	to, err := json.Marshal(modified)
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateTwoWayMergePatch(from, to, appsv1.Deployment{})
}

// As the API server applies them.
func applyToObject(object *appsv1.Deployment, patch []byte) (*appsv1.Deployment, error) {
	content, err := apiruntime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, err
	}
	changes := map[string]any{}
	if err := json.Unmarshal(patch, &changes); err != nil {
		return nil, err
	}
	patched, err := strategicpatch.StrategicMergeMapPatch(content, changes, appsv1.Deployment{})
	if err != nil {
		return nil, err
	}
	result := &appsv1.Deployment{}
	return result, apiruntime.DefaultUnstructuredConverter.FromUnstructured(patched, result)
}

func threeWay(in *inputs) ([]byte, error) {
	schema, err := strategicpatch.NewPatchMetaFromStruct(appsv1.Deployment{})
	if err != nil {
		return nil, err
	}
	return strategicpatch.CreateThreeWayMergePatch(in.Original, in.Modified, in.Current, schema, true)
}

func parts(in *inputs) []part {
	original, modified, current := decode(in.Original), decode(in.Modified), decode(in.Current)
	patch, err := threeWay(in)
	check(err)
	mergePatch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(in.Original, in.Modified, in.Current)
	check(err)
	return []part{
		{"two_way", func() (any, error) {
			return strategicpatch.CreateTwoWayMergePatch(in.Original, in.Modified, appsv1.Deployment{})
		}},
		{"two_way_objects", func() (any, error) { return twoWayOfObjects(original, modified) }},
		{"three_way", func() (any, error) { return threeWay(in) }},
		{"apply", func() (any, error) { return strategicpatch.StrategicMergePatch(in.Current, patch, appsv1.Deployment{}) }},
		{"apply_objects", func() (any, error) { return applyToObject(current, patch) }},
		{"json_apply", func() (any, error) {
			operations, err := jsonpatch.DecodePatch(in.JSONPatch)
			if err != nil {
				return nil, err
			}
			return operations.Apply(in.Current)
		}},
		{"merge_make", func() (any, error) { return jsonpatch.CreateMergePatch(in.Original, in.Modified) }},
		{"merge_three_way", func() (any, error) {
			return jsonmergepatch.CreateThreeWayJSONMergePatch(in.Original, in.Modified, in.Current)
		}},
		{"merge_apply", func() (any, error) { return jsonpatch.MergePatch(in.Current, mergePatch) }},
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func measure(report *contract.Report, p part, batch int) {
	runtime.GC()
	runs, start, startCPU := 0, time.Now(), cpu()
	for ; time.Since(start) < atLeast; runs += batch {
		for range batch {
			_, err := p.run()
			check(err)
		}
	}
	wall, used := time.Since(start), cpu()-startCPU
	report.Add(p.name, "ns", float64(wall)/float64(runs))
	report.Add(p.name+"_cpu", "ns", float64(used)/float64(runs))
}

func main() {
	switch len(os.Args) {
	case 2:
		for name, size := range sizes {
			check(write(os.Args[1], name, size.containers, size.variables, size.annotations))
		}
	case 3:
		text, err := os.ReadFile(filepath.Join(os.Args[1], os.Args[2]+".json"))
		check(err)
		in := &inputs{}
		check(json.Unmarshal(text, in))
		var report contract.Report
		// As many as patch.cc runs between two looks at the clock.
		batch := 20
		if len(in.Current) > 20_000 {
			batch = 1
		}
		for _, p := range parts(in) {
			measure(&report, p, batch)
		}
		report.Print()
	default:
		fmt.Fprintln(os.Stderr, "usage: patch FOLDER [small|large|30kB|300kB|3MB]")
		os.Exit(2)
	}
}
