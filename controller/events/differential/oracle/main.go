// Command events_oracle answers what client-go's event recorders ask of an API server. A request is a function's name, a
// tab, and a script in hexadecimal; an answer is what each line of the script made them ask, with " | " between.
//
//	record	tools/record, of a source {c, h}
//	events	tools/events, of a controller c
//
// They run on a clock that begins with the year 2000, in a bubble of testing/synctest. Lines of a script, a millisecond apart:
//
//	e OBJECT TYPE REASON TEXT	an event about the Pod prod/OBJECT
//	w SECONDS			nothing
//	a ANSWER ANSWER …		to the next requests: ok, refused, or an HTTP code
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"kube/tests/oracle"
)

// script is one run: what was asked since the last line, and how to answer.
type script struct {
	mu      sync.Mutex
	calls   []string
	answers []string
	version int
}

func (s *script) ask(verb string, event metav1.Object, body string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, verb+" "+body)
	next := "ok"
	if len(s.answers) > 0 {
		next, s.answers = s.answers[0], s.answers[1:]
	}
	switch next {
	case "ok":
		s.version++
		event.SetResourceVersion(strconv.Itoa(s.version))
		return nil
	case "refused":
		return errors.New("refused")
	}
	code, _ := strconv.Atoi(next)
	reason := map[int]metav1.StatusReason{404: metav1.StatusReasonNotFound, 409: metav1.StatusReasonAlreadyExists}[code]
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: int32(code), Reason: reason}}
}

func (s *script) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sort.Strings(s.calls)
	text := strings.Join(s.calls, " ")
	s.calls = nil
	return text
}

func encode(event interface{}) string {
	data, err := json.Marshal(event)
	if err != nil {
		return err.Error()
	}
	host, _ := os.Hostname()
	return strings.ReplaceAll(string(data), `"c-`+host+`"`, `"c-host"`)
}

type coreSink struct{ *script }

func (s coreSink) Create(event *corev1.Event) (*corev1.Event, error) {
	stored := event.DeepCopy()
	return stored, s.ask("create", stored, encode(event))
}
func (s coreSink) Update(event *corev1.Event) (*corev1.Event, error) {
	stored := event.DeepCopy()
	return stored, s.ask("update", stored, encode(event))
}
func (s coreSink) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	stored := event.DeepCopy()
	return stored, s.ask("patch", stored, event.Name+" "+string(data))
}

type eventsSink struct{ *script }

func (s eventsSink) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	stored := event.DeepCopy()
	return stored, s.ask("create", stored, encode(event))
}
func (s eventsSink) Update(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	stored := event.DeepCopy()
	return stored, s.ask("update", stored, encode(event))
}
func (s eventsSink) Patch(_ context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	stored := event.DeepCopy()
	return stored, s.ask("patch", stored, event.Name+" "+string(data))
}

type emitter func(object *corev1.ObjectReference, eventType, reason, text string)

func (s *script) play(lines []string, emit emitter) string {
	var answers []string
	for _, line := range lines {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "e":
			parts := strings.SplitN(rest, " ", 4)
			emit(&corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: "prod", Name: parts[0]}, parts[1], parts[2], parts[3])
		case "w":
			seconds, _ := strconv.Atoi(rest)
			time.Sleep(time.Duration(seconds) * time.Second)
		case "a":
			s.mu.Lock()
			s.answers = strings.Fields(rest)
			s.mu.Unlock()
		}
		time.Sleep(time.Millisecond)
		answers = append(answers, s.take())
	}
	return strings.Join(answers, " | ")
}

func playRecord(lines []string) string {
	s := &script{}
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(coreSink{s})
	recorder := broadcaster.NewRecorder(nil, corev1.EventSource{Component: "c", Host: "h"})
	defer broadcaster.Shutdown()
	return s.play(lines, func(object *corev1.ObjectReference, eventType, reason, text string) {
		recorder.Event(object, eventType, reason, text)
	})
}

func playEvents(lines []string) string {
	s := &script{}
	ctx, cancel := context.WithCancel(context.Background())
	broadcaster := events.NewBroadcaster(eventsSink{s})
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err.Error()
	}
	recorder := broadcaster.NewRecorder(nil, "c")
	result := s.play(lines, func(object *corev1.ObjectReference, eventType, reason, text string) {
		recorder.Eventf(object, nil, eventType, reason, "Act", "%s", text)
	})
	cancel()
	synctest.Wait()
	broadcaster.Shutdown()
	return result
}

func serve(t *testing.T) {
	plays := map[string]func([]string) string{"record": playRecord, "events": playEvents}
	oracle.ServeAll(func(function, script string) (string, error) {
		play, known := plays[function]
		if !known {
			return "", fmt.Errorf("no function %q", function)
		}
		result := "error: the script does not end"
		synctest.Test(t, func(*testing.T) { result = play(strings.Split(script, "\n")) })
		return result, nil
	})
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	// Only tests have bubbles; what the test itself reports is none of the answers.
	os.Stdout = os.Stderr
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "scripts", F: serve}}, nil, nil)
}
