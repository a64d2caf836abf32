// Any template, filled from any object: nothing crashes or hangs, and both ways to look at the
// results agree.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/jsonpath/json_path_template.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::jsonpath {
namespace {

using unstructured::Value;

// More values than that are not printed, which could take minutes.
constexpr size_t kMaxPrinted = 10'000;

void Fill(absl::string_view text, const Value& object) {
  for (const bool lenient : {false, true}) {
    const absl::StatusOr<JsonPathTemplate> parsed =
        JsonPathTemplate::Parse(text, {.allow_missing_keys = lenient, .output_json = lenient});
    if (!parsed.ok()) {
      KUBE_CHECK(parsed.status().code() == absl::StatusCode::kInvalidArgument ||
                 parsed.status().code() == absl::StatusCode::kUnimplemented)
          << parsed.status().message();
      return;
    }
    const absl::StatusOr<std::vector<std::vector<const Value*>>> found =
        parsed->FindResults(object);
    if (!found.ok()) {
      KUBE_CHECK(!lenient || found.status().code() != absl::StatusCode::kNotFound);
      continue;
    }
    size_t count = 0;
    for (const std::vector<const Value*>& values : *found) count += values.size();
    if (count > kMaxPrinted) continue;
    KUBE_CHECK_OK(parsed->Execute(object).status());
  }
}

}  // namespace
}  // namespace kube::jsonpath

// A template, a zero byte or a line's end, and an object; without one, a fixed object.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find_first_of(absl::string_view("\0\n", 2));
  static const kube::unstructured::Value fixed =
      kube::unstructured::ParseJson(
          R"({"a": [{"b": 1, "c": "x"}, {"b": 2.5, "c": null}], "d": {"e.f": [[1, 2], []]}})")
          .value();
  if (end == absl::string_view::npos) {
    kube::jsonpath::Fill(text, fixed);
    return 0;
  }
  const auto object = kube::unstructured::ParseJson(text.substr(end + 1));
  if (object.ok()) kube::jsonpath::Fill(text.substr(0, end), *object);
  return 0;
}
