// The twins of managedfields.cc, under the same names. With a folder alone it writes what both read.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"bench/contract"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// atLeast is how long each part is repeated.
const atLeast = 500 * time.Millisecond

var (
	deploymentKind = appsv1.SchemeGroupVersion.WithKind("Deployment")
	podKind        = corev1.SchemeGroupVersion.WithKind("Pod")
	// The schemas of client-go.
	types = applyconfigurations.NewTypeConverter(scheme.Scheme)
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "managedfields:", err)
		os.Exit(1)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func decode(text []byte) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	check(o.UnmarshalJSON(text))
	return o
}

// sameVersion is for objects of one version without defaults, as those of most custom resources.
type sameVersion struct{}

func (sameVersion) Convert(_, _, _ any) error { return errors.New("there is one version") }
func (sameVersion) ConvertToVersion(in apiruntime.Object, _ apiruntime.GroupVersioner) (apiruntime.Object, error) {
	return in, nil
}
func (sameVersion) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}
func (sameVersion) Default(apiruntime.Object) {}
func (sameVersion) New(schema.GroupVersionKind) (apiruntime.Object, error) {
	return &unstructured.Unstructured{}, nil
}

// sameTyped is the same for structured-merge-diff.
type sameTyped struct{}

func (sameTyped) Convert(o *typed.TypedValue, _ fieldpath.APIVersion) (*typed.TypedValue, error) {
	return o, nil
}
func (sameTyped) IsMissingVersionError(error) bool { return false }

// newManager takes unstructured objects.
func newManager(kind schema.GroupVersionKind, subresource string) *managedfields.FieldManager {
	return must(managedfields.NewDefaultFieldManager(types, sameVersion{}, sameVersion{}, sameVersion{}, kind, kind.GroupVersion(),
		subresource, nil))
}

// newObjectManager takes API structs, and copies and converts them as API servers do.
func newObjectManager(kind schema.GroupVersionKind) *managedfields.FieldManager {
	return must(managedfields.NewDefaultFieldManager(types, scheme.Scheme, sameVersion{}, scheme.Scheme, kind, kind.GroupVersion(),
		"", nil))
}

// A part's result is an object, or what structured-merge-diff makes instead.
type part struct {
	name string
	run  func() (any, error)
}

// merger is structured-merge-diff alone, after everything is decoded and before anything is encoded.
func merger(live, configuration *unstructured.Unstructured) func() (any, error) {
	managers := fieldpath.ManagedFields{}
	for _, entry := range live.GetManagedFields() {
		set := &fieldpath.Set{}
		check(set.FromJSON(strings.NewReader(entry.FieldsV1.GetRawString())))
		managers[strings.TrimSuffix(entry.Manager+" "+entry.Subresource, " ")] = fieldpath.NewVersionedSet(set,
			fieldpath.APIVersion(entry.APIVersion), entry.Operation == "Apply")
	}
	bare := live.DeepCopy()
	bare.SetManagedFields(nil)
	before := must(types.ObjectToTyped(bare, typed.AllowDuplicates))
	applied := must(types.ObjectToTyped(configuration))
	updater := &merge.Updater{Converter: sameTyped{}}
	return func() (any, error) {
		result, _, err := updater.Apply(before, applied, "apps/v1", managers, "ctl", false)
		return result, err
	}
}

func parts(in *inputs) []part {
	live, same, configuration, updated := decode(in.Live), decode(in.Same), decode(in.Configuration), decode(in.Updated)
	liveObject := &appsv1.Deployment{}
	check(json.Unmarshal(in.Live, liveObject))
	empty := toUnstructured(object{"apiVersion": "apps/v1", "kind": "Deployment"})
	manager, objectManager := newManager(deploymentKind, ""), newObjectManager(deploymentKind)
	return []part{
		{"merge", merger(live, configuration)},
		{"apply", func() (any, error) { return manager.Apply(live, configuration, "ctl", false) }},
		{"apply_objects", func() (any, error) { return objectManager.Apply(liveObject, configuration, "ctl", false) }},
		{"apply_same", func() (any, error) { return manager.Apply(live, same, "ctl", false) }},
		{"create", func() (any, error) { return manager.Apply(empty, configuration, "ctl", false) }},
		{"update", func() (any, error) {
			updated.SetManagedFields(nil) // which the update before has set
			return manager.Update(live, updated, "kubectl")
		}},
	}
}

// resultOf is the result as JSON, its managedFields without times.
func resultOf(result any) json.RawMessage {
	if merged, ok := result.(*typed.TypedValue); ok {
		return must(json.Marshal(merged.AsValue().Unstructured()))
	}
	o := decode(must(json.Marshal(result)))
	entries := o.GetManagedFields()
	for i := range entries {
		entries[i].Time = nil
	}
	o.SetManagedFields(entries)
	return must(json.Marshal(o.Object))
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

func measureParts(folder, name string) {
	in := &inputs{}
	check(json.Unmarshal(must(os.ReadFile(filepath.Join(folder, name+".json"))), in))
	// As many as managedfields.cc runs between two looks at the clock.
	batch := 20
	if name == "3MiB" {
		batch = 1
	}
	var report contract.Report
	for _, p := range parts(in) {
		measure(&report, p, batch)
	}
	report.Print()
}

func main() {
	switch {
	case len(os.Args) == 2:
		for name := range sizes {
			check(write(os.Args[1], name))
		}
		check(writePods(os.Args[1]))
	case len(os.Args) == 3 && os.Args[2] == "pods":
		measurePods(os.Args[1])
	case len(os.Args) == 3:
		measureParts(os.Args[1], os.Args[2])
	default:
		fmt.Fprintln(os.Stderr, "usage: managedfields FOLDER [deployment|3MiB|pods]")
		os.Exit(2)
	}
}
