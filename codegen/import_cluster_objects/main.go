// Command import_cluster_objects prints the objects that a kube-apiserver makes in an empty cluster and that are the
// same in every cluster: roles and bindings, flow schemas, priority levels, priority classes and API services. It is
// compiled against the release that it reads: tools/import_cluster_objects.
//
// One line is one object as JSON, without apiVersion and kind, which stand above the objects of a kind. Objects of a
// kind are sorted by namespace and name.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/apis/flowcontrol/bootstrap"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	schedulingv1 "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
)

// Where the release has the priorities of its group versions: the latter file wins. Packages of kube-apiserver itself
// would take minutes to compile.
var prioritySources = []string{"pkg/controlplane/apiserver/aggregator.go", "cmd/kube-apiserver/app/aggregator.go"}

var priorityRow = regexp.MustCompile(
	`(?m)^\s*\{Group: "([^"]*)", Version: "([^"]*)"\}:\s*\{Group: (\d+), Version: (\d+)\},$`)

var stableVersion = regexp.MustCompile(`^v\d+$`)

func main() {
	source := flag.String("source", "", "folder of the module k8s.io/kubernetes")
	flag.Parse()
	services, err := apiServices(*source)
	if err == nil {
		err = printAll(services)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "import_cluster_objects:", err)
		os.Exit(1)
	}
}

func apiServices(source string) ([]*apiregistrationv1.APIService, error) {
	byName := map[string]*apiregistrationv1.APIService{}
	for _, path := range prioritySources {
		text, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		rows := priorityRow.FindAllStringSubmatch(string(text), -1)
		if len(rows) < 10 {
			return nil, fmt.Errorf("read %s: %d priorities of group versions; has their form changed?", path, len(rows))
		}
		for _, row := range rows {
			if !stableVersion.MatchString(row[2]) {
				continue // off by default
			}
			groupPriority, err := strconv.ParseInt(row[3], 10, 32)
			if err != nil {
				return nil, err
			}
			versionPriority, err := strconv.ParseInt(row[4], 10, 32)
			if err != nil {
				return nil, err
			}
			service := &apiregistrationv1.APIService{
				ObjectMeta: metav1.ObjectMeta{
					Name:   row[2] + "." + row[1],
					Labels: map[string]string{"kube-aggregator.kubernetes.io/automanaged": "onstart"},
				},
				Spec: apiregistrationv1.APIServiceSpec{
					Group: row[1], Version: row[2],
					GroupPriorityMinimum: int32(groupPriority), VersionPriority: int32(versionPriority),
				},
			}
			byName[service.Name] = service
		}
	}
	var services []*apiregistrationv1.APIService
	for _, service := range byName {
		services = append(services, service)
	}
	return services, nil
}

func printAll(services []*apiregistrationv1.APIService) error {
	kinds := []struct {
		name  string
		lists []any
	}{
		{"rbac.authorization.k8s.io/v1 ClusterRole", []any{bootstrappolicy.ClusterRoles(), bootstrappolicy.ControllerRoles()}},
		{"rbac.authorization.k8s.io/v1 ClusterRoleBinding",
			[]any{bootstrappolicy.ClusterRoleBindings(), bootstrappolicy.ControllerRoleBindings()}},
		{"rbac.authorization.k8s.io/v1 Role", values(bootstrappolicy.NamespaceRoles())},
		{"rbac.authorization.k8s.io/v1 RoleBinding", values(bootstrappolicy.NamespaceRoleBindings())},
		{"scheduling.k8s.io/v1 PriorityClass", []any{schedulingv1.SystemPriorityClasses()}},
		{"flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration",
			[]any{bootstrap.MandatoryPriorityLevelConfigurations, bootstrap.SuggestedPriorityLevelConfigurations}},
		{"flowcontrol.apiserver.k8s.io/v1 FlowSchema",
			[]any{bootstrap.MandatoryFlowSchemas, bootstrap.SuggestedFlowSchemas}},
		{"apiregistration.k8s.io/v1 APIService", []any{services}},
	}
	for _, kind := range kinds {
		lines, err := linesOf(kind.lists)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		fmt.Printf("== %s\n", kind.name)
		for _, line := range lines {
			fmt.Println(line)
		}
	}
	return nil
}

func values[T any](byNamespace map[string][]T) []any {
	var lists []any
	for _, list := range byNamespace {
		lists = append(lists, list)
	}
	return lists
}

// linesOf gives each object of some lists as a line.
func linesOf(lists []any) ([]string, error) {
	byName := map[string]string{}
	for _, list := range lists {
		text, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		var objects []map[string]any
		if err := json.Unmarshal(text, &objects); err != nil {
			return nil, err
		}
		for _, object := range objects {
			var name struct{ Metadata metav1.ObjectMeta }
			delete(object, "apiVersion")
			delete(object, "kind")
			delete(object, "status")
			line, err := json.Marshal(object)
			if err != nil {
				return nil, err
			}
			if err := json.Unmarshal(line, &name); err != nil {
				return nil, err
			}
			key := name.Metadata.Namespace + "/" + name.Metadata.Name
			if byName[key] != "" {
				return nil, fmt.Errorf("two objects have the name %q", key)
			}
			byName[key] = string(line)
		}
	}
	var keys []string
	for key := range byName {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	var lines []string
	for _, key := range keys {
		lines = append(lines, byName[key])
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("there are no objects")
	}
	return lines, nil
}
