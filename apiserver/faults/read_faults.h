#ifndef APISERVER_FAULTS_READ_FAULTS_H_
#define APISERVER_FAULTS_READ_FAULTS_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "apiserver/fault_rule.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// What happens to one event of a watch.
enum class EventFate {
  kSend,
  kDrop,
  kTwice,
  kEnd,     // end the stream before the event
  kExpire,  // end the stream with a 410 instead
};

// The faults that act inside a read, where a decorator of its exchange cannot inject them. The
// verbs know no other faults. Thread-safe.
class ReadFaults {
 public:
  virtual ~ReadFaults() = default;

  // Returns how many revisions the cache is behind now.
  virtual int64_t Lag() = 0;
  // Returns nullopt if bookmarks are sent as usual.
  virtual std::optional<fault::Bookmarks> Bookmarks() = 0;
  // Must be called once for each event, in the order of the stream.
  virtual EventFate BeforeEvent(absl::string_view namespace_name, absl::string_view name) = 0;
};

// Returns the revision of a cache that is `lag` revisions behind, but not before the resource's
// history.
int64_t LaggingRevision(const Storage& storage, absl::string_view resource, int64_t lag);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_FAULTS_READ_FAULTS_H_
