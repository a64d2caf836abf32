// Any path, followed in any object: nothing crashes or hangs, and what was found can be printed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/jsonpath/json_path.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::jsonpath {
namespace {

using unstructured::Value;

void Follow(absl::string_view text, const Value& object) {
  for (const bool lenient : {false, true}) {
    const absl::StatusOr<JsonPath> path = JsonPath::Parse(text, {.allow_missing_keys = lenient});
    if (!path.ok()) {
      KUBE_CHECK(path.status().code() == absl::StatusCode::kInvalidArgument ||
                 path.status().code() == absl::StatusCode::kUnimplemented)
          << path.status().message();
      return;
    }
    const absl::StatusOr<std::vector<const Value*>> found = path->Find(object);
    if (!found.ok()) {
      KUBE_CHECK(!lenient || found.status().code() != absl::StatusCode::kNotFound);
      continue;
    }
    for (const Value* value : *found) KUBE_CHECK_OK(Print(*value).status());
  }
}

}  // namespace
}  // namespace kube::jsonpath

// A path, a line's end, and an object; without one, a fixed object.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find('\n');
  static const kube::unstructured::Value fixed =
      kube::unstructured::ParseJson(
          R"({"a": [{"b": 1, "c": "x"}, {"b": 2.5, "c": null}], "d": {"e.f": [[1, 2], []]}})")
          .value();
  if (end == absl::string_view::npos) {
    kube::jsonpath::Follow(text, fixed);
    return 0;
  }
  const auto object = kube::unstructured::ParseJson(text.substr(end + 1));
  if (object.ok()) kube::jsonpath::Follow(text.substr(0, end), *object);
  return 0;
}
