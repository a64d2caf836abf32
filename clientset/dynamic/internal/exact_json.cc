#include "clientset/dynamic/internal/exact_json.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::dynamic::internal {
namespace {

using unstructured::Value;

class Writer {
 public:
  absl::StatusOr<std::string> Write(const Value& root) && {
    KUBE_RETURN_IF_ERROR(Open(root));
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const size_t size = frame.list != nullptr ? frame.list->size() : frame.object->size();
      if (frame.next == size) {
        out_ += frame.list != nullptr ? ']' : '}';
        frames_.pop_back();
        continue;
      }
      const size_t i = frame.next++;
      if (i > 0) out_ += ',';
      if (frame.list != nullptr) {
        KUBE_RETURN_IF_ERROR(Open((*frame.list)[i]));
        continue;
      }
      const Map<Value>::Entry& member = frame.object->begin()[i];
      KUBE_RETURN_IF_ERROR(WriteScalar(Value(member.key.view())));
      out_ += ':';
      KUBE_RETURN_IF_ERROR(Open(member.value));
    }
    return std::move(out_);
  }

 private:
  struct Frame {
    const List<Value>* list = nullptr;
    const Map<Value>* object = nullptr;
    size_t next = 0;
  };

  // Writes a scalar, or the beginning of a list or object.
  absl::Status Open(const Value& value) {
    if (!value.is_list() && !value.is_object()) return WriteScalar(value);
    out_ += value.is_list() ? '[' : '{';
    frames_.push_back({.list = value.list(), .object = value.object(), .next = 0});
    return absl::OkStatus();
  }

  absl::Status WriteScalar(const Value& value) {
    KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(value));
    const bool like_int = absl::string_view(json).find_first_of(".e") == absl::string_view::npos;
    absl::StrAppend(&out_, json, value.is_double() && like_int ? ".0" : "");
    return absl::OkStatus();
  }

  std::string out_;
  std::vector<Frame> frames_;
};

}  // namespace

absl::StatusOr<std::string> EncodeExactJson(const Value& value) { return Writer().Write(value); }

}  // namespace kube::dynamic::internal
