// Command discovery_oracle answers what client-go's discovery makes of a server's documents. Arguments are JSON.
//
//	discover	a server's answers, and what is asked of discovery, caches and mappers -> the results, and the requests
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kube/tests/oracle"
)

type reply struct {
	Status      int
	ContentType string
	Body        string
}

type step struct {
	// "groups", "resources", "all", "preferred", "namespaced", "version", "fresh", "invalidate", "reopen", "set", "kind",
	// "resource", "mapping", "category".
	Op    string
	Arg   string
	Reply reply
}

type scenario struct {
	// "plain", "legacy", "nopeer", "memory", "disk".
	Client  string
	Replies map[string]reply
	Steps   []step
}

// server answers from a table, and remembers what it was asked for.
type server struct {
	mutex   sync.Mutex
	replies map[string]reply
	asked   []string
}

func (s *server) RoundTrip(request *http.Request) (*http.Response, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.asked = append(s.asked, request.URL.String()+" "+request.Header.Get("Accept"))
	answer, ok := s.replies[request.URL.Path]
	if !ok {
		answer = reply{Status: 404, ContentType: "application/json",
			Body: `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`}
	}
	return &http.Response{
		StatusCode: answer.Status,
		Header:     http.Header{"Content-Type": {answer.ContentType}},
		Body:       io.NopCloser(strings.NewReader(answer.Body)),
		Request:    request,
	}, nil
}

func (s *server) take() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	sort.Strings(s.asked)
	text := strings.Join(s.asked, " ")
	s.asked = nil
	return text
}

func text(value any) string {
	bytes, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(bytes)
}

func groupsText(groups []*metav1.APIGroup) string {
	var all []string
	for _, group := range groups {
		group := *group
		group.TypeMeta = metav1.TypeMeta{}
		all = append(all, text(group))
	}
	return strings.Join(all, " ")
}

// listsText is in no order of Go's maps. Empty lists of what failed are left away: docs/clientset.md.
func listsText(lists []*metav1.APIResourceList, failed map[schema.GroupVersion]error) string {
	var all []string
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if _, ok := failed[gv]; err == nil && ok {
			continue
		}
		list := list.DeepCopy()
		list.TypeMeta = metav1.TypeMeta{}
		sort.Slice(list.APIResources, func(i, j int) bool { return list.APIResources[i].Name < list.APIResources[j].Name })
		if list.APIResources == nil {
			list.APIResources = []metav1.APIResource{}
		}
		all = append(all, text(list))
	}
	sort.Strings(all)
	return strings.Join(all, " ")
}

func allText(groups []*metav1.APIGroup, lists []*metav1.APIResourceList, err error) string {
	failed, partial := discovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partial {
		return "error"
	}
	var names []string
	for gv := range failed {
		names = append(names, gv.String())
	}
	sort.Strings(names)
	return groupsText(groups) + " " + listsText(lists, failed) + " failed: " + strings.Join(names, ",")
}

func partial(arg string) schema.GroupVersionResource {
	parts := strings.Split(arg, "/")
	return schema.GroupVersionResource{Group: parts[0], Version: parts[1], Resource: parts[2]}
}

// session is a client with what stands on it.
type session struct {
	client   discovery.DiscoveryInterface
	cached   discovery.CachedDiscoveryInterface
	mapper   meta.RESTMapper
	category restmapper.CategoryExpander
}

func open(kind, directory string, transport http.RoundTripper) (*session, error) {
	config := &rest.Config{Host: "http://localhost", Transport: transport, QPS: -1}
	if kind == "disk" {
		cached, err := disk.NewCachedDiscoveryClientForConfig(config, directory, "", 6*time.Hour)
		if err != nil {
			return nil, err
		}
		return over(cached, cached), nil
	}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	client.UseLegacyDiscovery = kind == "legacy"
	client.NoPeerDiscovery = kind == "nopeer"
	cached := memory.NewMemCacheClient(client)
	if kind == "memory" {
		return over(cached, cached), nil
	}
	return over(client, cached), nil
}

func over(client discovery.DiscoveryInterface, cached discovery.CachedDiscoveryInterface) *session {
	deferred := restmapper.NewDeferredDiscoveryRESTMapper(cached)
	return &session{client, cached, restmapper.NewShortcutExpander(deferred, cached, nil),
		restmapper.NewDiscoveryCategoryExpander(cached)}
}

func (s *session) do(one step) string {
	switch one.Op {
	case "groups":
		groups, err := s.client.ServerGroups()
		if err != nil {
			return "error"
		}
		var all []*metav1.APIGroup
		for i := range groups.Groups {
			all = append(all, &groups.Groups[i])
		}
		return groupsText(all)
	case "resources":
		list, err := s.client.ServerResourcesForGroupVersion(one.Arg)
		if err != nil {
			return "error"
		}
		return listsText([]*metav1.APIResourceList{list}, nil)
	case "all":
		return allText(s.client.ServerGroupsAndResources())
	case "preferred":
		lists, err := s.client.ServerPreferredResources()
		return allText(nil, lists, err)
	case "namespaced":
		lists, err := s.client.ServerPreferredNamespacedResources()
		return allText(nil, lists, err)
	case "version":
		info, err := s.client.ServerVersion()
		if err != nil {
			return "error"
		}
		return text(info)
	case "fresh":
		return fmt.Sprint(s.cached.Fresh())
	case "invalidate":
		s.cached.Invalidate()
		return ""
	case "kind":
		kind, err := s.mapper.KindFor(partial(one.Arg))
		if err != nil {
			return "error"
		}
		return kind.String()
	case "resource":
		resource, err := s.mapper.ResourceFor(partial(one.Arg))
		if err != nil {
			return "error"
		}
		return resource.String()
	case "mapping":
		of := partial(one.Arg)
		mapping, err := s.mapper.RESTMapping(schema.GroupKind{Group: of.Group, Kind: of.Resource}, of.Version)
		if err != nil {
			return "error"
		}
		return fmt.Sprint(mapping.Resource, " ", mapping.GroupVersionKind, " ", mapping.Scope.Name())
	case "category":
		resources, ok := s.category.Expand(one.Arg)
		var all []string
		for _, resource := range resources {
			all = append(all, resource.String())
		}
		sort.Strings(all)
		return fmt.Sprint(strings.Join(all, ","), " ", ok)
	}
	return "no such step: " + one.Op
}

func filesText(directory string) string {
	var all []string
	_ = filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			content, _ := os.ReadFile(path)
			info, _ := entry.Info()
			name, _ := filepath.Rel(directory, path)
			all = append(all, fmt.Sprintf("%s %o %q", name, info.Mode().Perm(), content))
		}
		return nil
	})
	sort.Strings(all)
	return strings.Join(all, " ")
}

func answerDiscover(argument []byte) (string, error) {
	var this scenario
	if err := json.Unmarshal(argument, &this); err != nil {
		return "", err
	}
	directory, err := os.MkdirTemp("", "discovery")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(directory)
	transport := &server{replies: this.Replies}
	current, err := open(this.Client, directory, transport)
	if err != nil {
		return "", err
	}
	var results []string
	for _, one := range this.Steps {
		switch one.Op {
		case "set":
			transport.replies[one.Arg] = one.Reply
			continue
		case "reopen":
			if current, err = open(this.Client, directory, transport); err != nil {
				return "", err
			}
			continue
		}
		results = append(results, current.do(one), transport.take())
	}
	return strings.Join(append(results, filesText(directory)), " | "), nil
}

func main() {
	oracle.Serve(map[string]func([]byte) (string, error){"discover": answerDiscover})
}
