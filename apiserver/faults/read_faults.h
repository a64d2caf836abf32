#ifndef APISERVER_FAULTS_READ_FAULTS_H_
#define APISERVER_FAULTS_READ_FAULTS_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "apiserver/fault_rule.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// What becomes of one event of a watch.
enum class EventFate {
  kSend,
  kDrop,
  kTwice,
  kEnd,     // the stream ends before it
  kExpire,  // the stream ends with a 410 instead
};

// What goes wrong on purpose inside one read, where no decorator of its exchange can do it: all
// that the verbs know of faults. Thread-safe.
class ReadFaults {
 public:
  virtual ~ReadFaults() = default;

  // How many revisions the cache is behind, now. Zero: it is not.
  virtual int64_t Lag() = 0;
  // Nothing: they come as they should.
  virtual std::optional<fault::Bookmarks> Bookmarks() = 0;
  // Asked once for each event, in the order of the stream.
  virtual EventFate BeforeEvent(absl::string_view namespace_name, absl::string_view name) = 0;
};

// What a cache of a resource that is so far behind has: not less than the history.
int64_t LaggingRevision(const Storage& storage, absl::string_view resource, int64_t lag);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_FAULTS_READ_FAULTS_H_
