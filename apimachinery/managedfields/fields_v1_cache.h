#ifndef APIMACHINERY_MANAGEDFIELDS_FIELDS_V1_CACHE_H_
#define APIMACHINERY_MANAGEDFIELDS_FIELDS_V1_CACHE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/managedfields/field_set.h"

namespace kube::managedfields {

// A set of fields and its text. Immutable.
struct EncodedFields {
  std::string text;
  FieldSet fields;
  // Whether an API server writes the set as this text. A client may have written another.
  bool is_canonical = false;
};
using EncodedFieldsPtr = std::shared_ptr<const EncodedFields>;

// Remembers sets of fields by their text. In a server, most entries of metadata.managedFields come
// back as they were written, with the next write to their object and in objects of the same shape:
// reading a text that is known costs a hash of it. Make one for each server. Bounded: what was not
// asked for in a while is forgotten. Never blocks for long. Thread-safe.
class FieldsV1Cache {
 public:
  // The texts that are remembered have at most `max_bytes` together; their sets need some ten times
  // as much memory.
  explicit FieldsV1Cache(size_t max_bytes = 1 << 20) : max_bytes_(max_bytes) {}
  FieldsV1Cache(const FieldsV1Cache&) = delete;
  FieldsV1Cache& operator=(const FieldsV1Cache&) = delete;

  // Reads a set. Never returns null. Returns the errors of DecodeFieldsV1, which are not
  // remembered.
  absl::StatusOr<EncodedFieldsPtr> Decode(absl::string_view text);
  // Writes a set, and remembers its text. Never returns null.
  EncodedFieldsPtr Encode(const FieldSet& fields);

 private:
  // The keys are views of the values.
  using ByText = absl::flat_hash_map<absl::string_view, EncodedFieldsPtr>;

  EncodedFieldsPtr Find(absl::string_view text);
  // Returns what is remembered of the text, which is `made` if it is not known yet.
  EncodedFieldsPtr Remember(EncodedFieldsPtr made);
  EncodedFieldsPtr AddRecent(EncodedFieldsPtr fields) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t max_bytes_;
  base::Mutex mutex_;
  // Two generations: what is asked for becomes recent. If the recent texts have half of the bytes,
  // the older ones are forgotten, and the recent ones become the older ones.
  ByText recent_ ABSL_GUARDED_BY(mutex_);
  ByText older_ ABSL_GUARDED_BY(mutex_);
  size_t recent_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_FIELDS_V1_CACHE_H_
