// Command watch_oracle answers what apimachinery's and client-go's watches do.
//
//	broadcast	a script for a Broadcaster that drops, words with a blank between -> what each word said
//	stream		the body of a watch of pods in JSON -> its events, up to the first error
//
// The words of a script: "q3" first, the length of the queues; "w" watches; "p2" watches with a prefix of two events;
// "a" sends the next event; "n0" pulls from the first watcher what is there; "s0" stops it; "S" shuts down.
package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/streaming"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	restwatch "k8s.io/client-go/rest/watch"

	"kube/tests/oracle"
)

func pod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

type stage struct {
	broadcaster *watch.Broadcaster
	watchers    []watch.Interface
	sent        int
}

// settle waits until the broadcaster's goroutine has done what came before.
func (s *stage) settle() {
	if w, err := s.broadcaster.Watch(); err == nil {
		w.Stop()
	}
}

func (s *stage) joined(w watch.Interface, err error) string {
	if err != nil {
		return "stopped"
	}
	s.watchers = append(s.watchers, w)
	return "ok"
}

func (s *stage) play(word string) string {
	number, _ := strconv.Atoi(word[1:])
	switch word[0] {
	case 'q':
		s.broadcaster = watch.NewBroadcaster(number, watch.DropIfChannelFull)
		return "ok"
	case 'w':
		return s.joined(s.broadcaster.Watch())
	case 'p':
		var events []watch.Event
		for i := 0; i < number; i++ {
			events = append(events, watch.Event{Type: watch.Modified, Object: pod(fmt.Sprintf("p%d", i))})
		}
		return s.joined(s.broadcaster.WatchWithPrefix(events))
	case 'a':
		s.sent++
		if err := s.broadcaster.Action(watch.Added, pod(strconv.Itoa(s.sent))); err != nil {
			return "stopped"
		}
		s.settle()
		return "ok"
	case 'n':
		select {
		case event, ok := <-s.watchers[number].ResultChan():
			if !ok {
				return "end"
			}
			return string(event.Type) + ":" + event.Object.(*corev1.Pod).Name
		default:
			return "nothing"
		}
	case 's':
		s.watchers[number].Stop()
		return "ok"
	case 'S':
		s.broadcaster.Shutdown()
		return "ok"
	}
	return "?"
}

func broadcast(script []byte) (string, error) {
	var s stage
	var answers []string
	for _, word := range strings.Fields(string(script)) {
		answers = append(answers, s.play(word))
	}
	s.broadcaster.Shutdown()
	return strings.Join(answers, " "), nil
}

// As rest.Request.Watch puts it together.
func stream(body []byte) (string, error) {
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	reader := info.StreamSerializer.Framer.NewFrameReader(io.NopCloser(bytes.NewReader(body)))
	decoder := scheme.Codecs.WithoutConversion().DecoderToVersion(info.Serializer, schema.GroupVersion{Version: "v1"})
	watcher := watch.NewStreamWatcher(
		restwatch.NewDecoder(streaming.NewDecoder(reader, info.StreamSerializer), decoder),
		apierrors.NewClientErrorReporter(500, "GET", "ClientWatchDecoding"))
	defer watcher.Stop()
	var answers []string
	for event := range watcher.ResultChan() {
		if event.Type != watch.Error {
			answers = append(answers, string(event.Type)+":"+event.Object.(*corev1.Pod).Name)
			continue
		}
		err := apierrors.FromObject(event.Object)
		answers = append(answers, fmt.Sprintf("ERROR:%s:%v:%v:%v", apierrors.ReasonForError(err), apierrors.IsUnexpectedObjectError(err),
			apierrors.HasStatusCause(err, "ClientWatchDecoding"), apierrors.IsUnexpectedServerError(err)))
		break
	}
	return strings.Join(answers, " "), nil
}

func main() {
	oracle.Serve(map[string]func([]byte) (string, error){"broadcast": broadcast, "stream": stream})
}
