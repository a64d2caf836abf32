// leader_election_candidates KUBECONFIG NAMESPACE NAME SECONDS: two candidates with client-go for
// one lease. Each leads for a while, steps down, with and without giving the lease up by turns,
// stays away for a while, and comes back.
//
// Prints a line for each term that it led: identity, and when it began and ended, in nanoseconds
// since 1970.
package main

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func upTo(most time.Duration) time.Duration { return time.Duration(rand.Int63n(int64(most))) }

// One candidacy, until it has led for a while, or ctx is done.
func run(ctx context.Context, client kubernetes.Interface, namespace, name, identity string, release bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	led := make(chan struct{})
	began := false
	var mu sync.Mutex
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: name},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		},
		LeaseDuration:   3 * time.Second,
		RenewDeadline:   2 * time.Second,
		RetryPeriod:     500 * time.Millisecond,
		ReleaseOnCancel: release,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				mu.Lock()
				began = true
				mu.Unlock()
				defer close(led)
				from := time.Now()
				select {
				case <-ctx.Done():
				case <-time.After(500*time.Millisecond + upTo(2*time.Second)):
				}
				fmt.Println(identity, from.UnixNano(), time.Now().UnixNano())
				cancel()
			},
			OnStoppedLeading: func() {},
		},
	})
	mu.Lock()
	defer mu.Unlock()
	if began {
		<-led
	}
}

func main() {
	seconds := must(strconv.Atoi(os.Args[4]))
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(seconds)*time.Second)
	defer cancel()
	config := must(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	config.QPS = -1
	var group sync.WaitGroup
	for i := range 2 {
		group.Go(func() {
			client := must(kubernetes.NewForConfig(config))
			for n := 0; ctx.Err() == nil; n++ {
				run(ctx, client, os.Args[2], os.Args[3], fmt.Sprintf("go-%d-%d", i, n), n%2 == 0)
				time.Sleep(upTo(3 * time.Second))
			}
		})
	}
	group.Wait()
}
