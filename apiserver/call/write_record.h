#ifndef APISERVER_CALL_WRITE_RECORD_H_
#define APISERVER_CALL_WRITE_RECORD_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/object.h"

// What the log of requests says of a write, from the verbs to the handler. The functions do nothing
// if `record` is null. Thread-compatible.
namespace kube::apiserver::internal {

struct WriteRecord {
  // HandlerOptions::max_logged_object_bytes.
  size_t max_object_bytes = 0;
  // The fields of LoggedRequest with these names.
  bool changed = false;
  std::string object_name = {};
  std::string sent_version = {};
  std::string denied_verb = {};
  std::shared_ptr<const unstructured::Value> object = {};
};

// Records the object that a write has made, and whether it has changed what is stored.
void RecordWrite(const StoredObject& object, bool changed, WriteRecord* record);
// Records the name of an object that a create could not make, because it exists.
void RecordName(absl::string_view name, WriteRecord* record);
// Records the verb that the user lacks the right for, though the request was authorized.
void RecordDenial(absl::string_view verb, WriteRecord* record);
// Records that the storage was changed.
void RecordChange(WriteRecord* record);
// Records the resourceVersion in the body of an update.
void RecordSentVersion(absl::string_view version, WriteRecord* record);
// Records the resourceVersion in the body of a patch: in the metadata of a merge patch or of an
// apply, in JSON or YAML, or in the operation of a JSON patch that tests or sets it. Does nothing
// if no objects are recorded, because the body has to be decoded.
void RecordPatchVersion(absl::string_view body, WriteRecord* record);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_WRITE_RECORD_H_
