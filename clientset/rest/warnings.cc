#include "clientset/rest/warnings.h"

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/internal/warning_header.h"

namespace kube::rest {

namespace {

// Servers may put names of objects into warnings, so the number of different texts is unlimited.
constexpr size_t kMaxRememberedTexts = 1000;

// Other codes are used by caches and proxies.
bool IsForPeople(const Warning& warning) { return warning.code == 299 && !warning.text.empty(); }

void Log(const Context& ctx, const Warning& warning) { log::Warning(ctx, warning.text); }

class Logger final : public WarningHandler {
 public:
  void HandleWarning(const Context& ctx, const Warning& warning) override {
    if (IsForPeople(warning)) Log(ctx, warning);
  }
};

class DeduplicatingLogger final : public WarningHandler {
 public:
  void HandleWarning(const Context& ctx, const Warning& warning) override {
    if (IsForPeople(warning) && IsNew(warning.text)) Log(ctx, warning);
  }

 private:
  bool IsNew(const std::string& text) ABSL_LOCKS_EXCLUDED(mutex_) {
    const size_t hash = absl::HashOf(text);
    const base::MutexLock lock(mutex_);
    if (hashes_.size() >= kMaxRememberedTexts) return hashes_.count(hash) == 0;
    return hashes_.insert(hash).second;
  }

  base::Mutex mutex_;
  // Hashes rather than texts, because each text may be as long as a header. The chance that two of
  // a thousand texts share a hash is about 1 in 10^13.
  std::unordered_set<size_t> hashes_ ABSL_GUARDED_BY(mutex_);
};

class Dropper final : public WarningHandler {
 public:
  void HandleWarning(const Context&, const Warning&) override {}
};

}  // namespace

std::vector<Warning> ParseWarnings(absl::string_view header) {
  std::vector<Warning> warnings;
  while (!header.empty()) {
    std::optional<Warning> warning = internal::TakeWarning(header);
    if (!warning.has_value()) break;
    warnings.push_back(*std::move(warning));
  }
  return warnings;
}

std::shared_ptr<WarningHandler> MakeWarningLogger() { return std::make_shared<Logger>(); }

std::shared_ptr<WarningHandler> MakeDeduplicatingWarningLogger() {
  return std::make_shared<DeduplicatingLogger>();
}

std::shared_ptr<WarningHandler> NoWarnings() { return std::make_shared<Dropper>(); }

}  // namespace kube::rest
