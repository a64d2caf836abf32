#ifndef APISERVER_TESTING_EXTENSION_MAKER_H_
#define APISERVER_TESTING_EXTENSION_MAKER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

// Makes what extends a server of the bytes that a fuzzer chooses: CustomResourceDefinitions with
// rules, admission policies, bindings, configurations of webhooks, and objects. All texts are JSON.
// Most of it is valid; expressions can be any text of the input.
namespace kube::apiserver {

// The first line of an input decides, a byte a decision; the further lines are texts. Without
// bytes, every decision is the last of its possibilities. Thread-compatible.
class FuzzInput {
 public:
  // `bytes` must outlive this.
  explicit FuzzInput(absl::string_view bytes);

  // Returns a number less than `n`, which must not be zero.
  size_t Below(size_t n);
  bool OneIn(size_t n) { return Below(n) == 0; }
  // Returns whether all decisions have been taken.
  bool done() const { return choices_.empty(); }
  // Returns one of the texts.
  absl::string_view Pick(absl::Span<const absl::string_view> texts);
  // Returns the next text of the input, or one of the usual ones, as a JSON string.
  std::string Text(absl::Span<const absl::string_view> usual);

 private:
  absl::string_view choices_;
  std::vector<absl::string_view> texts_;
  size_t next_text_ = 0;
};

// The webhook that converts, and the one that admits.
inline constexpr char kConvertUrl[] = "https://hooks.example.com/convert";
inline constexpr char kAdmitUrl[] = "https://hooks.example.com/admit";

// Returns the definition of Widgets (example.com), with the versions v1 and v2, which a webhook at
// kConvertUrl converts if `converts`.
std::string MakeDefinition(FuzzInput& input, bool converts);
// Returns a Widget, or a ConfigMap if the version is "".
std::string MakeObject(FuzzInput& input, absl::string_view version);

// Return a ValidatingAdmissionPolicy, a MutatingAdmissionPolicy, and the binding of either, all of
// this name.
std::string MakePolicy(FuzzInput& input, absl::string_view name);
std::string MakeMutatingPolicy(FuzzInput& input, absl::string_view name);
std::string MakeBinding(FuzzInput& input, absl::string_view name, bool mutates);

// Returns the configuration of an admission webhook, whose URL is kAdmitUrl.
std::string MakeWebhook(FuzzInput& input, absl::string_view name);

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_EXTENSION_MAKER_H_
