#ifndef CONTROLLER_MANAGER_TESTING_FAKE_CONTROLLER_H_
#define CONTROLLER_MANAGER_TESTING_FAKE_CONTROLLER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_status.h"

namespace kube::controller {

// Collects lines of several threads in their order. Thread-safe.
class Journal {
 public:
  void Add(std::string line) ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<std::string> Lines() const ABSL_LOCKS_EXCLUDED(mutex_);
  bool Has(absl::string_view line) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether it has both lines, and `first` before `second`.
  bool InOrder(absl::string_view first, absl::string_view second) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable base::Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

struct FakeControllerOptions {
  std::string name = "fake";
  bool needs_leadership = true;
  bool warm = true;
  // How long its watches take to sync, and what WaitForSync then returns.
  absl::Duration sync_takes = absl::ZeroDuration();
  absl::Status sync_error = {};
  // How long a reconcile goes on after the workers take no more keys.
  absl::Duration in_work = absl::ZeroDuration();
  // Whether that reconcile ends with its context.
  bool heeds_context = true;
  // If not OK, RunWorkers returns it at once.
  absl::Status work_error = {};
};

// A controller with one reconcile, of the key "default/a". It writes into the journal, each line
// preceded by its name: "watches", "synced", "works", "takes no more", and at the end "drained" or
// "cancelled". Not imitated: queues and watches. Thread-safe.
class FakeController : public ManagedController {
 public:
  // `journal` must outlive the controller.
  FakeController(Journal& journal, FakeControllerOptions options)
      : options_(std::move(options)), journal_(journal) {}

  const std::string& name() const override { return options_.name; }
  bool needs_leadership() const override { return options_.needs_leadership; }
  bool warm() const override { return options_.warm; }
  void StartWatches() override;
  absl::Status WaitForSync(const Context& ctx) override;
  absl::Status RunWorkers(const Context& take, const Context& work) override;
  ControllerStatus status() const override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Note(absl::string_view what);
  void SetWorking(bool working) ABSL_LOCKS_EXCLUDED(mutex_);

  const FakeControllerOptions options_;
  Journal& journal_;
  mutable base::Mutex mutex_;
  bool working_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_TESTING_FAKE_CONTROLLER_H_
