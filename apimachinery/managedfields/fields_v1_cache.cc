#include "apimachinery/managedfields/fields_v1_cache.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"

namespace kube::managedfields {

absl::StatusOr<EncodedFieldsPtr> FieldsV1Cache::Decode(absl::string_view text) {
  if (EncodedFieldsPtr known = Find(text)) return known;
  auto made = std::make_shared<EncodedFields>();
  KUBE_ASSIGN_OR_RETURN(made->fields, DecodeFieldsV1(text));
  made->text = std::string(text);
  made->is_canonical = EncodeFieldsV1(made->fields) == made->text;
  return Remember(std::move(made));
}

EncodedFieldsPtr FieldsV1Cache::Encode(const FieldSet& fields) {
  auto made = std::make_shared<EncodedFields>();
  made->text = EncodeFieldsV1(fields);
  made->fields = fields;
  made->is_canonical = true;
  return Remember(std::move(made));
}

EncodedFieldsPtr FieldsV1Cache::Find(absl::string_view text) {
  base::MutexLock lock(mutex_);
  if (const auto found = recent_.find(text); found != recent_.end()) return found->second;
  const auto found = older_.find(text);
  return found == older_.end() ? nullptr : AddRecent(found->second);
}

EncodedFieldsPtr FieldsV1Cache::Remember(EncodedFieldsPtr made) {
  base::MutexLock lock(mutex_);
  if (const auto found = recent_.find(made->text); found != recent_.end()) return found->second;
  return AddRecent(std::move(made));
}

EncodedFieldsPtr FieldsV1Cache::AddRecent(EncodedFieldsPtr fields) {
  const size_t bytes = fields->text.size();
  // A text that would push out all others is not worth it.
  if (bytes > max_bytes_ / 2) return fields;
  if (recent_bytes_ + bytes > max_bytes_ / 2) {
    older_ = std::exchange(recent_, {});
    recent_bytes_ = 0;
  }
  recent_.emplace(fields->text, fields);
  recent_bytes_ += bytes;
  return fields;
}

}  // namespace kube::managedfields
