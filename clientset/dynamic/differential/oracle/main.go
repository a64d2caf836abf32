// Command dynamic_oracle answers what client-go's clients of any resource send. Arguments are JSON.
//
//	call	a call of the dynamic, metadata or scale client -> the request: method, URL, Accept, Content-Type, body in
//		hexadecimal
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/scale"

	"kube/tests/oracle"
)

// recorder keeps the request, and answers with a fixed object.
type recorder struct{ sent, reply string }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	r.sent = strings.Join([]string{request.Method, request.URL.String(), request.Header.Get("Accept"),
		request.Header.Get("Content-Type"), hex.EncodeToString(body)}, " | ")
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(r.reply)),
		Request:    request,
	}, nil
}

type call struct {
	Client, Reply, Verb                       string
	Group, Version, Resource, Namespace, Name string
	// Of the resource's scale.
	ScaleGroup, ScaleVersion string
	Object                   json.RawMessage
	Options                  json.RawMessage
	ListOptions              metav1.ListOptions
	PatchType                types.PatchType
	Data                     string
	Subresources             []string
}

func (c *call) into(options any) {
	if len(c.Options) > 0 {
		if err := json.Unmarshal(c.Options, options); err != nil {
			panic(err)
		}
	}
}

func (c *call) resource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: c.Group, Version: c.Version, Resource: c.Resource}
}

func optionsOf[T any](c *call) T {
	var options T
	c.into(&options)
	return options
}

func (c *call) dynamic(in dynamic.ResourceInterface) (err error) {
	ctx := context.Background()
	object := &unstructured.Unstructured{}
	if len(c.Object) > 0 {
		object.Object = map[string]any{}
		if err := json.Unmarshal(c.Object, &object.Object); err != nil {
			return err
		}
	}
	switch c.Verb {
	case "get":
		_, err = in.Get(ctx, c.Name, optionsOf[metav1.GetOptions](c), c.Subresources...)
	case "list":
		_, err = in.List(ctx, c.ListOptions)
	case "watch":
		_, err = in.Watch(ctx, c.ListOptions)
	case "create":
		_, err = in.Create(ctx, object, optionsOf[metav1.CreateOptions](c), c.Subresources...)
	case "update":
		_, err = in.Update(ctx, object, optionsOf[metav1.UpdateOptions](c), c.Subresources...)
	case "updateStatus":
		_, err = in.UpdateStatus(ctx, object, optionsOf[metav1.UpdateOptions](c))
	case "delete":
		err = in.Delete(ctx, c.Name, optionsOf[metav1.DeleteOptions](c), c.Subresources...)
	case "deleteCollection":
		err = in.DeleteCollection(ctx, optionsOf[metav1.DeleteOptions](c), c.ListOptions)
	case "patch":
		_, err = in.Patch(ctx, c.Name, c.PatchType, []byte(c.Data), optionsOf[metav1.PatchOptions](c), c.Subresources...)
	case "apply":
		_, err = in.Apply(ctx, c.Name, object, optionsOf[metav1.ApplyOptions](c), c.Subresources...)
	case "applyStatus":
		_, err = in.ApplyStatus(ctx, c.Name, object, optionsOf[metav1.ApplyOptions](c))
	default:
		err = fmt.Errorf("no such verb: %s", c.Verb)
	}
	return err
}

func (c *call) metadata(in metadata.ResourceInterface) (err error) {
	ctx := context.Background()
	switch c.Verb {
	case "get":
		_, err = in.Get(ctx, c.Name, optionsOf[metav1.GetOptions](c), c.Subresources...)
	case "list":
		_, err = in.List(ctx, c.ListOptions)
	case "watch":
		_, err = in.Watch(ctx, c.ListOptions)
	case "delete":
		err = in.Delete(ctx, c.Name, optionsOf[metav1.DeleteOptions](c), c.Subresources...)
	case "deleteCollection":
		err = in.DeleteCollection(ctx, optionsOf[metav1.DeleteOptions](c), c.ListOptions)
	case "patch":
		_, err = in.Patch(ctx, c.Name, c.PatchType, []byte(c.Data), optionsOf[metav1.PatchOptions](c), c.Subresources...)
	default:
		err = fmt.Errorf("no such verb: %s", c.Verb)
	}
	return err
}

// kindOfScale is what the case says.
type kindOfScale schema.GroupVersionKind

func (k kindOfScale) ScaleForResource(schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return schema.GroupVersionKind(k), nil
}

// scale also says what came back.
func (c *call) scale(config *rest.Config) (string, error) {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{c.resource().GroupVersion()})
	gvk := c.resource().GroupVersion().WithKind("Any")
	mapper.AddSpecific(gvk, c.resource(), c.resource(), meta.RESTScopeNamespace)
	kind := kindOfScale{Group: c.ScaleGroup, Version: c.ScaleVersion, Kind: "Scale"}
	client, err := scale.NewForConfig(config, mapper, dynamic.LegacyAPIPathResolverFunc, kind)
	if err != nil {
		return "", err
	}
	in := client.Scales(c.Namespace)
	ctx := context.Background()
	var result *autoscalingv1.Scale
	switch c.Verb {
	case "get":
		result, err = in.Get(ctx, c.resource().GroupResource(), c.Name, optionsOf[metav1.GetOptions](c))
	case "update":
		sent := &autoscalingv1.Scale{}
		if err := json.Unmarshal(c.Object, sent); err != nil {
			return "", err
		}
		result, err = in.Update(ctx, c.resource().GroupResource(), sent, optionsOf[metav1.UpdateOptions](c))
	case "patch":
		result, err = in.Patch(ctx, c.resource(), c.Name, c.PatchType, []byte(c.Data), optionsOf[metav1.PatchOptions](c))
	default:
		err = fmt.Errorf("no such verb: %s", c.Verb)
	}
	if err != nil {
		return "", err
	}
	result.TypeMeta = metav1.TypeMeta{}
	text, err := json.Marshal(result)
	return string(text), err
}

func answerCall(argument []byte) (string, error) {
	var c call
	if err := json.Unmarshal(argument, &c); err != nil {
		return "", err
	}
	transport := &recorder{reply: c.Reply}
	config := &rest.Config{Host: "http://localhost", Transport: transport, QPS: -1}
	switch c.Client {
	case "dynamic":
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return "", err
		}
		return transport.answer(c.dynamic(client.Resource(c.resource()).Namespace(c.Namespace)), "")
	case "metadata":
		client, err := metadata.NewForConfig(config)
		if err != nil {
			return "", err
		}
		return transport.answer(c.metadata(client.Resource(c.resource()).Namespace(c.Namespace)), "")
	case "scale":
		result, err := c.scale(config)
		return transport.answer(err, " | "+result)
	}
	return "", fmt.Errorf("no such client: %s", c.Client)
}

func (r *recorder) answer(err error, result string) (string, error) { return r.sent + result, err }

func main() {
	oracle.Serve(map[string]func([]byte) (string, error){"call": answerCall})
}
