#include "examples/sample_controller/demo/screen.h"

#include <functional>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"

namespace samplecontroller {

void Screen::Step(absl::string_view text) {
  const kube::base::MutexLock lock(mutex_);
  step_began_ = kube::base::Now();
  std::cout << "\n" << text << "\n" << std::flush;
}

void Screen::Say(absl::string_view text) {
  const kube::base::MutexLock lock(mutex_);
  std::cout << text << "\n" << std::flush;
}

void Screen::Show(absl::string_view kind, absl::string_view name, absl::string_view what) {
  const kube::base::MutexLock lock(mutex_);
  std::string& last = last_[absl::StrCat(kind, "/", name)];
  if (last == what) {
    shown_.NotifyAll();
    return;
  }
  last = std::string(what);
  const absl::Duration since = kube::base::Now() - step_began_;
  std::cout << absl::StrFormat("%7.2f s  %-11s %-24s %s\n", absl::ToDoubleSeconds(since), kind,
                               name, what)
            << std::flush;
  shown_.NotifyAll();
}

absl::Status Screen::Await(const kube::Context& ctx, const std::function<bool()>& reached) {
  const kube::base::MutexLock lock(mutex_);
  return shown_.Wait(ctx, mutex_, reached).ok() ? absl::OkStatus() : ctx.cause();
}

}  // namespace samplecontroller
