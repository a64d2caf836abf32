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

// The output of the demo: a line for each change of an object, below the step that caused it.
// Thread-safe.
class Screen {
 public:
  // Prints the title of the next step.
  void Step(absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);
  // Prints a line.
  void Say(absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);
  // Prints the state of an object, unless it is unchanged.
  void Show(absl::string_view kind, absl::string_view name, absl::string_view what)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Blocks until `reached` returns true, which is tested after each Show, or returns the cause of
  // `ctx`.
  absl::Status Await(const kube::Context& ctx, const std::function<bool()>& reached)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  kube::base::Mutex mutex_;
  kube::base::CondVar shown_;
  kube::base::MonotonicTime step_began_ ABSL_GUARDED_BY(mutex_);
  // Last state by kind and name.
  std::map<std::string, std::string> last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace samplecontroller

#endif  // EXAMPLES_SAMPLE_CONTROLLER_DEMO_SCREEN_H_
