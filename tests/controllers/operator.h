#ifndef TESTS_CONTROLLERS_OPERATOR_H_
#define TESTS_CONTROLLERS_OPERATOR_H_

#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "clientset/kubernetes/clientset.h"
#include "controller/manager/manager.h"
#include "tests/controllers/recorder.h"

namespace kube::controllers {

// The label that says what an object is, and its values.
inline constexpr char kRole[] = "role";
inline constexpr char kSet[] = "set";        // a config map that wants `count` children
inline constexpr char kChild[] = "child";    // a secret of a set, with the label kSlot
inline constexpr char kMirror[] = "mirror";  // a config map that copies the value of a source
inline constexpr char kSource[] = "source";  // a secret with the annotation kValue
inline constexpr char kRecord[] = "record";  // a config map with a record in another system

inline constexpr char kSlot[] = "slot";
inline constexpr char kValue[] = "value";
// Keys of the config maps' data.
inline constexpr char kCount[] = "count";
inline constexpr char kSourceName[] = "source";
inline constexpr char kCopy[] = "copy";
inline constexpr char kAddress[] = "address";

// What a mirror has whose source does not exist.
inline constexpr char kNoSource[] = "none";

// Imitates another system, which knows nothing of the cluster: addresses by the UIDs of records.
// Thread-safe.
class OtherSystem {
 public:
  void Set(absl::string_view uid, absl::string_view address) ABSL_LOCKS_EXCLUDED(mutex_);
  void Remove(absl::string_view uid) ABSL_LOCKS_EXCLUDED(mutex_);
  std::map<std::string, std::string> addresses() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable base::Mutex mutex_;
  std::map<std::string, std::string> addresses_ ABSL_GUARDED_BY(mutex_);
};

// What an Operator has beside its manager. All of it outlives the operator.
struct Surroundings {
  std::string program = {};  // for the recorder
  Recorder* recorder = nullptr;
  OtherSystem* other_system = nullptr;
  // A client without faults, to see what the server has.
  const kubernetes::Clientset* admin = nullptr;
  // Whether it is a mistake to create a child while the last one that was created in its place
  // exists. It is none if a cache may be behind for longer than a key waits for its own writes.
  bool creates_once = false;
};

// Four controllers on one manager, as somebody would write them who has read only the headers; all
// that is particular to the simulation is that they tell a recorder what they do:
//   sets     owns secrets: as many as its config map says, with names from the server, so that a
//            child too many would show;
//   mirrors  copies the values of secrets that config maps name, found by an index;
//   records  keeps config maps and another system the same, with a finalizer;
//   census   has namespaces as keys, runs in each replica, and remembers what it sees.
// Destroy it before the manager.
class Operator {
 public:
  Operator(controller::Manager& manager, const Surroundings& surroundings);
  ~Operator();

 private:
  class Sets;
  class Mirrors;
  class Records;
  class Census;

  const std::unique_ptr<Sets> sets_;
  const std::unique_ptr<Mirrors> mirrors_;
  const std::unique_ptr<Records> records_;
  const std::unique_ptr<Census> census_;
};

}  // namespace kube::controllers

#endif  // TESTS_CONTROLLERS_OPERATOR_H_
