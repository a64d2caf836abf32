// Command errors_oracle answers what apimachinery's errors and client-go's REST client make of something. Arguments are
// JSON.
//
//	make		the error of a constructor -> its message in hexadecimal, its Status as JSON
//	predicates	a Status -> the predicates that hold, the reason, the suggested delay
//	http		an HTTP response -> as make
//
// Texts within the JSON that may be any bytes are in hexadecimal too.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"kube/tests/oracle"
)

// Bytes, in JSON as hexadecimal.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var digits string
	if err := json.Unmarshal(data, &digits); err != nil {
		return err
	}
	decoded, err := hex.DecodeString(digits)
	*t = text(decoded)
	return err
}

type call struct {
	Function        string
	Group, Resource text
	Name, Message   text
	Code, Seconds   int
	Unexpected      bool
	Method          string
	Causes          []struct{ Type, Field, Message text }
}

// The order of the C++ enumeration.
var fieldErrorTypes = []field.ErrorType{
	field.ErrorTypeNotFound, field.ErrorTypeRequired, field.ErrorTypeDuplicate, field.ErrorTypeInvalid,
	field.ErrorTypeNotSupported, field.ErrorTypeForbidden, field.ErrorTypeTooLong, field.ErrorTypeTooMany,
	field.ErrorTypeTooFew, field.ErrorTypeTooShort, field.ErrorTypeInternal, field.ErrorTypeTypeInvalid,
}

// Of any type, as the test makes them of the same causes.
func (c call) fieldErrors() field.ErrorList {
	var list field.ErrorList
	for _, cause := range c.Causes {
		message := string(cause.Message)
		list = append(list, &field.Error{
			Type: fieldErrorTypes[len(message)%len(fieldErrorTypes)], Field: string(cause.Field), BadValue: message, Detail: message,
		})
	}
	return list
}

func (c call) causes() []metav1.StatusCause {
	var list []metav1.StatusCause
	for _, cause := range c.Causes {
		list = append(list, metav1.StatusCause{Type: metav1.CauseType(cause.Type), Field: string(cause.Field), Message: string(cause.Message)})
	}
	return list
}

func (c call) run() error {
	resource := schema.GroupResource{Group: string(c.Group), Resource: string(c.Resource)}
	name, message := string(c.Name), string(c.Message)
	switch c.Function {
	case "NotFound":
		return apierrors.NewNotFound(resource, name)
	case "AlreadyExists":
		return apierrors.NewAlreadyExists(resource, name)
	case "GenerateNameConflict":
		return apierrors.NewGenerateNameConflict(resource, name, c.Seconds)
	case "Unauthorized":
		return apierrors.NewUnauthorized(message)
	case "Forbidden":
		return apierrors.NewForbidden(resource, name, errors.New(message))
	case "Conflict":
		return apierrors.NewConflict(resource, name, errors.New(message))
	case "ApplyConflict":
		return apierrors.NewApplyConflict(c.causes(), message)
	case "Gone":
		return apierrors.NewGone(message)
	case "ResourceExpired":
		return apierrors.NewResourceExpired(message)
	case "Invalid":
		return apierrors.NewInvalid(schema.GroupKind{Group: string(c.Group), Kind: string(c.Resource)}, name, c.fieldErrors())
	case "BadRequest":
		return apierrors.NewBadRequest(message)
	case "TooManyRequests":
		return apierrors.NewTooManyRequests(message, c.Seconds)
	case "TooManyRequestsError":
		return apierrors.NewTooManyRequestsError(message)
	case "ServiceUnavailable":
		return apierrors.NewServiceUnavailable(message)
	case "MethodNotSupported":
		return apierrors.NewMethodNotSupported(resource, message)
	case "ServerTimeout":
		return apierrors.NewServerTimeout(resource, message, c.Seconds)
	case "InternalError":
		return apierrors.NewInternalError(errors.New(message))
	case "Timeout":
		return apierrors.NewTimeoutError(message, c.Seconds)
	case "RequestEntityTooLarge":
		return apierrors.NewRequestEntityTooLargeError(message)
	case "GenericServerResponse":
		return apierrors.NewGenericServerResponse(c.Code, c.Method, resource, name, message, c.Seconds, c.Unexpected)
	case "ClientError":
		return apierrors.FromObject(apierrors.NewClientErrorReporter(c.Code, c.Method, name).AsObject(errors.New(message)))
	}
	return fmt.Errorf("no function %q", c.Function)
}

func makeError(argument []byte) (string, error) {
	var c call
	if err := json.Unmarshal(argument, &c); err != nil {
		return "", err
	}
	return describe(c.run())
}

func describe(err error) (string, error) {
	status, ok := err.(apierrors.APIStatus)
	if !ok {
		return "", fmt.Errorf("not a Status: %v", err)
	}
	// There and back: bytes that are not UTF-8 become U+FFFD, which encoding/json writes in another way.
	encoded, failure := json.Marshal(status.Status())
	if failure != nil {
		return "", failure
	}
	var decoded metav1.Status
	if failure := json.Unmarshal(encoded, &decoded); failure != nil {
		return "", failure
	}
	encoded, failure = json.Marshal(decoded)
	return hex.EncodeToString([]byte(err.Error())) + " " + string(encoded), failure
}

// The order of the test's own list.
var allPredicates = []struct {
	name  string
	holds func(error) bool
}{
	{"NotFound", apierrors.IsNotFound},
	{"AlreadyExists", apierrors.IsAlreadyExists},
	{"Conflict", apierrors.IsConflict},
	{"Invalid", apierrors.IsInvalid},
	{"Gone", apierrors.IsGone},
	{"ResourceExpired", apierrors.IsResourceExpired},
	{"NotAcceptable", apierrors.IsNotAcceptable},
	{"UnsupportedMediaType", apierrors.IsUnsupportedMediaType},
	{"MethodNotSupported", apierrors.IsMethodNotSupported},
	{"ServiceUnavailable", apierrors.IsServiceUnavailable},
	{"BadRequest", apierrors.IsBadRequest},
	{"Unauthorized", apierrors.IsUnauthorized},
	{"Forbidden", apierrors.IsForbidden},
	{"Timeout", apierrors.IsTimeout},
	{"ServerTimeout", apierrors.IsServerTimeout},
	{"InternalError", apierrors.IsInternalError},
	{"TooManyRequests", apierrors.IsTooManyRequests},
	{"RequestEntityTooLarge", apierrors.IsRequestEntityTooLargeError},
	{"StoreReadError", apierrors.IsStoreReadError},
	{"UnexpectedServerError", apierrors.IsUnexpectedServerError},
	{"UnexpectedObjectError", apierrors.IsUnexpectedObjectError},
	{"cause X", func(err error) bool { return apierrors.HasStatusCause(err, "X") }},
}

func predicates(argument []byte) (string, error) {
	var status metav1.Status
	if err := json.Unmarshal(argument, &status); err != nil {
		return "", err
	}
	err := fmt.Errorf("context: %w", apierrors.FromObject(&status))
	var answer strings.Builder
	for _, predicate := range allPredicates {
		if predicate.holds(err) {
			answer.WriteString(predicate.name + ", ")
		}
	}
	seconds, ok := apierrors.SuggestsClientDelay(err)
	fmt.Fprintf(&answer, "reason %s, delay %v %d", apierrors.ReasonForError(err), ok, seconds)
	return answer.String(), nil
}

type exchange struct {
	Method, Group, Resource, Name string
	RequestType                   string // what the client speaks
	Code                          int
	ContentType, RetryAfter       string
	Body                          text
}

// RoundTrip answers what the exchange says.
func (e exchange) RoundTrip(request *http.Request) (*http.Response, error) {
	header := http.Header{}
	if e.ContentType != "" {
		header.Set("Content-Type", e.ContentType)
	}
	if e.RetryAfter != "" {
		header.Set("Retry-After", e.RetryAfter)
	}
	return &http.Response{StatusCode: e.Code, Header: header, Body: io.NopCloser(bytes.NewReader([]byte(e.Body))), Request: request}, nil
}

func httpError(argument []byte) (string, error) {
	var e exchange
	if err := json.Unmarshal(argument, &e); err != nil {
		return "", err
	}
	client, err := rest.RESTClientFor(&rest.Config{
		Host:      "http://localhost",
		APIPath:   "/apis",
		Transport: e,
		QPS:       -1,
		ContentConfig: rest.ContentConfig{
			ContentType:          e.RequestType,
			GroupVersion:         &schema.GroupVersion{Group: e.Group, Version: "v1"},
			NegotiatedSerializer: scheme.Codecs.WithoutConversion(),
		},
	})
	if err != nil {
		return "", err
	}
	request := client.Verb(e.Method).MaxRetries(0)
	if e.Resource == "" {
		request = request.AbsPath("/healthz")
	} else {
		request = request.Resource(e.Resource)
	}
	if e.Name != "" {
		request = request.Name(e.Name)
	}
	return describe(request.Do(context.Background()).Error())
}

func main() {
	oracle.Serve(map[string]func([]byte) (string, error){
		"make":       makeError,
		"predicates": predicates,
		"http":       httpError,
	})
}
