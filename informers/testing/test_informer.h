#ifndef INFORMERS_TESTING_TEST_INFORMER_H_
#define INFORMERS_TESTING_TEST_INFORMER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "informers/event_handler.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_options.h"
#include "informers/testing/test_cluster.h"

namespace kube::informers {

// Runs a test in virtual time.
void Simulate(const std::function<void()>& body);
// Waits, in virtual time, until the condition is true; fails the test if that takes too long.
void Await(const std::function<bool()>& condition, absl::Duration patience = absl::Hours(2));
void Pass(absl::Duration time);

// Records what a handler is told: "add a=1 initial", "update a=1>2", "delete a=2 unknown".
// Thread-safe. Must outlive the handlers.
class Recorder {
 public:
  EventHandler<ConfigMap> Handler();
  // Makes each call wait for this event before it returns.
  void SetGate(const base::Event* gate) ABSL_LOCKS_EXCLUDED(mutex_);

  std::vector<std::string> told() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns what was told since the last call.
  std::vector<std::string> Take() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits until `count` events were told.
  void Await(size_t count) const;

 private:
  void Record(std::string text) ABSL_LOCKS_EXCLUDED(mutex_);

  mutable base::Mutex mutex_;
  const base::Event* gate_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::vector<std::string> told_ ABSL_GUARDED_BY(mutex_);
};

// An informer of config maps, and the thread that runs it.
struct TestInformer {
  explicit TestInformer(const TestCluster& cluster, SharedInformerOptions options = {},
                        const ListerWatcherOptions& source = {});
  ~TestInformer() { Stop(); }

  void Start();
  // Starts and waits until all objects of the cluster are stored.
  void StartAndSync();
  void Stop();
  void AwaitContent(const TestCluster& cluster);

  SharedInformer<ConfigMap> informer;
  base::Thread thread;
};

}  // namespace kube::informers

#endif  // INFORMERS_TESTING_TEST_INFORMER_H_
