#include "envtest/fake/reaction.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"

namespace kube::fake {

Reaction Reaction::Done() {
  return Answer(std::string(R"({"kind":"Status","apiVersion":"v1","status":"Success"})"));
}

Reaction Reaction::Fail(absl::Status error) {
  KUBE_CHECK(!error.ok()) << "fake::Reaction::Fail called with an OK status";
  Reaction reaction(Kind::kError);
  reaction.error_ = std::move(error);
  return reaction;
}

Reaction Reaction::Answer(absl::StatusOr<std::string> json) {
  if (!json.ok()) return Fail(std::move(json).status());
  Reaction reaction(Kind::kAnswer);
  reaction.answer_ = *std::move(json);
  return reaction;
}

}  // namespace kube::fake
