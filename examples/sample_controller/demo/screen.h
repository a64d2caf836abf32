#ifndef EXAMPLES_SAMPLE_CONTROLLER_DEMO_SCREEN_H_
#define EXAMPLES_SAMPLE_CONTROLLER_DEMO_SCREEN_H_

#include <functional>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace samplecontroller {

// What people see of the demo: a line for each change of an object, under the step that it follows.
// Thread-safe.
class Screen {
 public:
  // Something is about to be done.
  void Step(absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);
  // A line of its own.
  void Say(absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);
  // Of an object, what is to be seen of it. No line if that is what it was.
  void Show(absl::string_view kind, absl::string_view name, absl::string_view what)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks until `reached`, which is asked after each Show, or until `ctx` ends: then its cause.
  absl::Status Await(const kube::Context& ctx, const std::function<bool()>& reached)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  kube::base::Mutex mutex_;
  kube::base::CondVar shown_;
  kube::base::MonotonicTime step_began_ ABSL_GUARDED_BY(mutex_);
  // By kind and name.
  std::map<std::string, std::string> last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace samplecontroller

#endif  // EXAMPLES_SAMPLE_CONTROLLER_DEMO_SCREEN_H_
