// Command typed_oracle answers what client-go's typed clients send, and what its pager asks for. Arguments are JSON.
//
//	call		a call of a typed client -> the request: method, URL, Accept, Content-Type, body in hexadecimal
//	pager		pages and options -> the options of each page that was asked for, and the result
//	watchlist	the options of a list -> those of the watch that gives the same, or "none"
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	appsconfig "k8s.io/client-go/applyconfigurations/apps/v1"
	coreconfig "k8s.io/client-go/applyconfigurations/core/v1"
	rbacconfig "k8s.io/client-go/applyconfigurations/rbac/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/watchlist"

	"kube/tests/oracle"
)

// recorder keeps the request, and answers with an empty object.
type recorder struct{ sent string }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	contentType := request.Header.Get("Content-Type")
	if contentType == string(types.ApplyYAMLPatchType) {
		// The order of its members does not matter.
		var value any
		if err := json.Unmarshal(body, &value); err != nil {
			return nil, err
		}
		body, _ = json.Marshal(value)
	}
	r.sent = strings.Join([]string{request.Method, request.URL.String(), request.Header.Get("Accept"), contentType,
		hex.EncodeToString(body)}, " | ")
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader("{}")),
		Request:    request,
	}, nil
}

type call struct {
	Resource, Namespace, Verb, Name string
	// The configuration says that all is to be JSON.
	JSON         bool
	Object       json.RawMessage
	Options      json.RawMessage
	ListOptions  metav1.ListOptions
	PatchType    types.PatchType
	Data         string
	Subresources []string
}

func (c *call) into(options any) {
	if len(c.Options) > 0 {
		if err := json.Unmarshal(c.Options, options); err != nil {
			panic(err)
		}
	}
}

// What all clients have.
type client[T, L any] interface {
	Get(context.Context, string, metav1.GetOptions) (T, error)
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
	DeleteCollection(context.Context, metav1.DeleteOptions, metav1.ListOptions) error
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (T, error)
}
type statusUpdater[T any] interface {
	UpdateStatus(context.Context, T, metav1.UpdateOptions) (T, error)
}
type applier[T, C any] interface {
	Apply(context.Context, C, metav1.ApplyOptions) (T, error)
}
type statusApplier[T, C any] interface {
	ApplyStatus(context.Context, C, metav1.ApplyOptions) (T, error)
}

func do[T, L, C any](in client[*T, L], c *call) (err error) {
	ctx := context.Background()
	object, configuration := new(T), new(C)
	if strings.HasPrefix(c.Verb, "apply") {
		err = json.Unmarshal(c.Object, configuration)
	} else if len(c.Object) > 0 {
		err = json.Unmarshal(c.Object, object)
	}
	if err != nil {
		return err
	}
	switch c.Verb {
	case "get":
		var options metav1.GetOptions
		c.into(&options)
		_, err = in.Get(ctx, c.Name, options)
	case "list":
		_, err = in.List(ctx, c.ListOptions)
	case "watch":
		_, err = in.Watch(ctx, c.ListOptions)
	case "create":
		var options metav1.CreateOptions
		c.into(&options)
		_, err = in.Create(ctx, object, options)
	case "update", "updateStatus":
		var options metav1.UpdateOptions
		c.into(&options)
		if c.Verb == "update" {
			_, err = in.Update(ctx, object, options)
		} else {
			_, err = in.(statusUpdater[*T]).UpdateStatus(ctx, object, options)
		}
	case "delete", "deleteCollection":
		var options metav1.DeleteOptions
		c.into(&options)
		if c.Verb == "delete" {
			err = in.Delete(ctx, c.Name, options)
		} else {
			err = in.DeleteCollection(ctx, options, c.ListOptions)
		}
	case "patch":
		var options metav1.PatchOptions
		c.into(&options)
		_, err = in.Patch(ctx, c.Name, c.PatchType, []byte(c.Data), options, c.Subresources...)
	case "apply", "applyStatus":
		var options metav1.ApplyOptions
		c.into(&options)
		if c.Verb == "apply" {
			_, err = in.(applier[*T, *C]).Apply(ctx, configuration, options)
		} else {
			_, err = in.(statusApplier[*T, *C]).ApplyStatus(ctx, configuration, options)
		}
	default:
		err = fmt.Errorf("no such verb: %s", c.Verb)
	}
	return err
}

func answerCall(argument []byte) (string, error) {
	var c call
	if err := json.Unmarshal(argument, &c); err != nil {
		return "", err
	}
	transport := &recorder{}
	config := &rest.Config{Host: "http://localhost", Transport: transport, QPS: -1}
	if c.JSON {
		config.ContentType = runtime.ContentTypeJSON
	}
	clients, err := kubernetes.NewForConfig(config)
	if err != nil {
		return "", err
	}
	switch c.Resource {
	case "pods":
		err = do[corev1.Pod, *corev1.PodList, coreconfig.PodApplyConfiguration](clients.CoreV1().Pods(c.Namespace), &c)
	case "nodes":
		err = do[corev1.Node, *corev1.NodeList, coreconfig.NodeApplyConfiguration](clients.CoreV1().Nodes(), &c)
	case "deployments":
		err = do[appsv1.Deployment, *appsv1.DeploymentList, appsconfig.DeploymentApplyConfiguration](
			clients.AppsV1().Deployments(c.Namespace), &c)
	case "clusterroles":
		err = do[rbacv1.ClusterRole, *rbacv1.ClusterRoleList, rbacconfig.ClusterRoleApplyConfiguration](
			clients.RbacV1().ClusterRoles(), &c)
	default:
		err = fmt.Errorf("no such resource: %s", c.Resource)
	}
	return transport.sent, err
}

type page struct {
	Items    int
	Continue string
	Version  string
	// "expired", "other": an error instead.
	Error string
}

type paging struct {
	Pages          []page
	Options        metav1.ListOptions
	PageSize       int64
	NoFullList     bool
	Each           bool
	PageBufferSize int32
}

func names(list runtime.Object) string {
	var all []string
	_ = meta.EachListItem(list, func(item runtime.Object) error {
		all = append(all, item.(*corev1.Pod).Name)
		return nil
	})
	return strings.Join(all, ",")
}

func answerPager(argument []byte) (string, error) {
	var p paging
	if err := json.Unmarshal(argument, &p); err != nil {
		return "", err
	}
	var asked []string
	next := 0
	lists := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
		text, _ := json.Marshal(options)
		asked = append(asked, string(text))
		if next == len(p.Pages) {
			return nil, fmt.Errorf("no more pages")
		}
		this := p.Pages[next]
		next++
		switch this.Error {
		case "expired":
			return nil, apierrors.NewResourceExpired("too old")
		case "other":
			return nil, apierrors.NewBadRequest("no")
		}
		list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: this.Version, Continue: this.Continue}}
		for i := 0; i < this.Items; i++ {
			list.Items = append(list.Items, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%d-%d", next, i)}})
		}
		return list, nil
	}))
	if p.PageSize != 0 {
		lists.PageSize = p.PageSize
	}
	lists.FullListIfExpired = !p.NoFullList
	lists.PageBufferSize = p.PageBufferSize
	var result string
	if p.Each {
		var all []string
		err := lists.EachListItem(context.Background(), p.Options, func(item runtime.Object) error {
			all = append(all, item.(*corev1.Pod).Name)
			return nil
		})
		result = fmt.Sprintf("%s error=%t", strings.Join(all, ","), err != nil)
	} else if list, paginated, err := lists.List(context.Background(), p.Options); err != nil {
		result = fmt.Sprintf("error expired=%t", apierrors.IsResourceExpired(err))
	} else {
		of, _ := meta.ListAccessor(list)
		result = fmt.Sprintf("%s version=%s continue=%s paginated=%t", names(list), of.GetResourceVersion(), of.GetContinue(), paginated)
	}
	return strings.Join(append(asked, result), " | "), nil
}

func answerWatchList(argument []byte) (string, error) {
	var options metav1.ListOptions
	if err := json.Unmarshal(argument, &options); err != nil {
		return "", err
	}
	prepared, ok, err := watchlist.PrepareWatchListOptionsFromListOptions(options)
	if err != nil {
		return "", err
	}
	if !ok {
		return "none", nil
	}
	text, err := json.Marshal(prepared)
	return string(text), err
}

func main() {
	oracle.Serve(map[string]func([]byte) (string, error){
		"call": answerCall, "pager": answerPager, "watchlist": answerWatchList,
	})
}
