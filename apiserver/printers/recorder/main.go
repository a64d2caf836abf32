// Command recorder writes rows of tables that Kubernetes' own printers make of random objects: ../testdata/rows.jsonl.
//
//	recorder SEED COUNT      every row, of COUNT objects of each kind
//	recorder SEED COUNT pick of these, a few that between them have every kind of cell
//
// The program run beside it builds it: a module of its own would name all the modules of k8s.io/kubernetes.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	apiservice "k8s.io/kube-aggregator/pkg/registry/apiservice/etcd"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	"k8s.io/kubernetes/pkg/printers"
	"k8s.io/kubernetes/pkg/printers/internalversion"
)

// What kube-apiserver serves by default.
var groupVersions = []string{
	"v1", "apiregistration.k8s.io/v1", "apps/v1", "events.k8s.io/v1", "autoscaling/v2", "autoscaling/v1", "batch/v1", "certificates.k8s.io/v1",
	"networking.k8s.io/v1", "policy/v1", "rbac.authorization.k8s.io/v1", "storage.k8s.io/v1", "admissionregistration.k8s.io/v1",
	"apiextensions.k8s.io/v1", "scheduling.k8s.io/v1", "coordination.k8s.io/v1", "node.k8s.io/v1", "discovery.k8s.io/v1", "resource.k8s.io/v1",
	"flowcontrol.apiserver.k8s.io/v1",
}

// Have metadata, and no table.
var withoutTable = map[string]bool{"Binding": true, "RangeAllocation": true, "Eviction": true, "PodStatusResult": true, "TokenRequest": true}

// Kinds whose registries have the default convertor.
var plain = map[string]bool{"Role": true, "ClusterRole": true, "LimitRange": true, "CSIStorageCapacity": true, "CustomResourceDefinition": true}

var generator = printers.NewTableGenerator().With(internalversion.AddHandlers)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func newScheme() *runtime.Scheme {
	scheme := legacyscheme.Scheme
	must(apiextensionsv1.AddToScheme(scheme))
	must(aggregator.AddToScheme(scheme))
	must(apiregistrationv1.AddToScheme(scheme))
	return scheme
}

// table has an error where the printer panics.
func table(scheme *runtime.Scheme, kind string, obj runtime.Object) (t *metav1.Table, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if plain[kind] {
		return rest.NewDefaultTableConvertor(schema.GroupResource{}).ConvertToTable(context.TODO(), obj, nil)
	}
	if kind == "APIService" {
		internal := &aggregator.APIService{}
		if err := scheme.Convert(obj, internal, nil); err != nil {
			return nil, err
		}
		return (&apiservice.REST{}).ConvertToTable(context.TODO(), internal, nil)
	}
	internal, err := scheme.ConvertToVersion(obj, runtime.InternalGroupVersioner)
	if err != nil {
		return nil, err
	}
	return generator.GenerateTable(internal, printers.GenerateOptions{Wide: true})
}

type column struct {
	Name, Type, Format string
	Priority           int32
}

// A record is a line: an object at a time, and its row or why there is none. The first of a kind has the columns.
type record struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Columns    []column        `json:"columns,omitempty"`
	Object     json.RawMessage `json:"object,omitempty"`
	Now        string          `json:"now,omitempty"`
	Cells      []interface{}   `json:"cells,omitempty"`
	Conditions []string        `json:"conditions,omitempty"`
	Error      string          `json:"error,omitempty"`
}

func (r *record) add(t *metav1.Table, columns bool) {
	if columns {
		for _, c := range t.ColumnDefinitions {
			r.Columns = append(r.Columns, column{c.Name, c.Type, c.Format, c.Priority})
		}
	}
	r.Cells = t.Rows[0].Cells
	for _, c := range t.Rows[0].Conditions {
		r.Conditions = append(r.Conditions, string(c.Type)+"/"+string(c.Status)+"/"+c.Reason)
	}
}

// print makes the row within one second, which is then the record's.
func (r *record) print(scheme *runtime.Scheme, obj runtime.Object, columns bool) {
	for {
		now := time.Now()
		t, err := table(scheme, r.Kind, obj)
		if time.Now().Truncate(time.Second) != now.Truncate(time.Second) {
			continue
		}
		r.Now = now.UTC().Format(time.RFC3339Nano)
		if err != nil {
			r.Error = err.Error()
		} else {
			r.add(t, columns)
		}
		return
	}
}

// recordsOf leaves out objects at which the printer panics.
func recordsOf(scheme *runtime.Scheme, m *maker, gv schema.GroupVersion, kind string, count int) []record {
	var records []record
	for i := 0; i < count; i++ {
		m.now = time.Now().Truncate(time.Second)
		made, err := scheme.New(gv.WithKind(kind))
		must(err)
		if i > 0 {
			m.fill(reflect.ValueOf(made).Elem(), "", "", 0)
			if old, ok := made.(*autoscalingv1.HorizontalPodAutoscaler); ok {
				m.oldAutoscaler(old)
			}
		}
		text, err := json.Marshal(made)
		must(err)
		obj, err := scheme.New(gv.WithKind(kind))
		must(err)
		must(json.Unmarshal(text, obj))
		r := record{APIVersion: gv.String(), Kind: kind, Object: text}
		r.print(scheme, obj, i == 0)
		if !strings.HasPrefix(r.Error, "panic") {
			records = append(records, r)
		}
	}
	return records
}

func kindsOf(scheme *runtime.Scheme, gv schema.GroupVersion) []string {
	var kinds []string
	for kind, t := range scheme.KnownTypes(gv) {
		if _, ok := t.FieldByName("ObjectMeta"); ok && !withoutTable[kind] {
			kinds = append(kinds, kind)
		}
	}
	sort.Strings(kinds)
	return kinds
}

func main() {
	seed, err := strconv.ParseInt(os.Args[1], 10, 64)
	must(err)
	count, err := strconv.Atoi(os.Args[2])
	must(err)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	scheme := newScheme()
	m := &maker{r: rand.New(rand.NewSource(seed))}
	for _, text := range groupVersions {
		gv, err := schema.ParseGroupVersion(text)
		must(err)
		for _, kind := range kindsOf(scheme, gv) {
			records := recordsOf(scheme, m, gv, kind, count)
			if len(os.Args) > 3 {
				records = pick(records)
			}
			for _, r := range records {
				must(encoder.Encode(r))
			}
		}
	}
}
