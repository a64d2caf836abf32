#ifndef ENVTEST_TESTING_REVIEW_HANDLER_H_
#define ENVTEST_TESTING_REVIEW_HANDLER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest {

// What an operator's webhook server does, in a few lines: answers the reviews that are posted to
// it.
//   /mutate    adds the label "mutated"
//   /validate  refuses objects with the name "bad"
//   /convert   changes the apiVersion, and nothing else
//   /hang      answers when the caller has given up
// Other paths are not found. Not imitated: versions of reviews other than v1. Thread-safe.
class ReviewHandler final : public httpserver::Handler {
 public:
  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override;

  // Returns the paths that were called, in the order of the calls.
  std::vector<std::string> Paths() const ABSL_LOCKS_EXCLUDED(mutex_);
  bool WasAsked(const std::string& path) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable base::Mutex mutex_;
  std::vector<std::string> paths_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::envtest

#endif  // ENVTEST_TESTING_REVIEW_HANDLER_H_
