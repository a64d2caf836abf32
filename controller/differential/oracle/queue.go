package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing/synctest"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"kube/tests/oracle"
)

func number(text string) int {
	n, err := strconv.Atoi(text)
	oracle.Check(err)
	return n
}

func milliseconds(text string) time.Duration { return time.Duration(number(text)) * time.Millisecond }

// playQueue runs in a bubble of testing/synctest, in which each line ends before the next one begins. Lines:
//
//	add KEY PRIORITY MILLISECONDS		with a delay, or none
//	limited KEY PRIORITY MILLISECONDS	after a failure
//	forget KEY
//	done KEY
//	wait MILLISECONDS
//	get		answers KEY PRIORITY, or "nothing" if no key can be taken
//	failures KEY	answers the number of failures
//	length		answers the number of keys in the queue
func playQueue(lines []string) string {
	queue := priorityqueue.New[string]("")
	got := make(chan string, len(lines))
	var answers []string
	for _, line := range lines {
		words := strings.Fields(line)
		switch words[0] {
		case "add", "limited":
			priority := number(words[2])
			queue.AddWithOpts(priorityqueue.AddOpts{
				After: milliseconds(words[3]), RateLimited: words[0] == "limited", Priority: &priority,
			}, words[1])
		case "forget":
			queue.Forget(words[1])
		case "done":
			queue.Done(words[1])
		case "wait":
			time.Sleep(milliseconds(words[1]))
		case "get":
			go func() {
				key, priority, _ := queue.GetWithPriority()
				got <- fmt.Sprintf("%s %d", key, priority)
			}()
		case "failures":
			answers = append(answers, strconv.Itoa(queue.NumRequeues(words[1])))
		case "length":
			answers = append(answers, strconv.Itoa(queue.Len()))
		default:
			oracle.Exit(fmt.Errorf("no operation %q", line))
		}
		synctest.Wait()
		if words[0] != "get" {
			continue
		}
		select {
		case item := <-got:
			answers = append(answers, item)
		default:
			answers = append(answers, "nothing")
		}
	}
	queue.ShutDown()
	synctest.Wait()
	return strings.Join(answers, " | ")
}
