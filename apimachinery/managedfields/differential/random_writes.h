#ifndef APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_WRITES_H_
#define APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_WRITES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/differential/random_value.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields {

// A kind whose objects are written.
struct Subject {
  std::string schema = {};              // "built-in", "deduced" or "crd", for the oracle
  unstructured::Value definition = {};  // of a CRD
  std::string kind = {};
  // The versions, such as "apps/v1". Their schemas must outlive the subject.
  std::map<std::string, const Schema*, std::less<>> versions = {};
  // A member of spec that has another name in each version; empty if there is no such member.
  std::map<std::string, std::string, std::less<>> renamed = {};
};

// Converts between the versions of a subject, which must outlive the converter. An object is the
// same in all of them, except for the renamed member.
class SubjectConverter : public VersionConverter {
 public:
  explicit SubjectConverter(const Subject* subject) : subject_(subject) {}
  const Schema* SchemaOf(absl::string_view api_version) const override;
  absl::StatusOr<unstructured::Value> Convert(const unstructured::Value& object,
                                              absl::string_view api_version) const override;

 private:
  const Subject* const subject_;
};

// The time when the oracle's clock begins: 2000-01-01.
inline constexpr int64_t kClockStart = 946684800000;

// What is written to one object, one write after the other: the question to Go, and our results.
struct Sequence {
  Question question;
  // The writes as the question has them.
  std::vector<unstructured::Value> writes;
  // The result of each: "ok", the object and its managed fields; "error" and the text; or "status"
  // with the code, reason, message and causes of a Status object.
  std::vector<std::vector<std::string>> results;
};

struct SequenceOptions {
  int writes = 14;
  // Each write is by another manager than the 13 writes before it, so that old ones are merged.
  bool many_managers = false;
};

// Makes random writes and carries them out: creates, updates with and without managed fields or
// with wrong ones, applies with and without force, and writes to the status, by a few managers, in
// all versions. The same seed makes the same writes. Thread-compatible.
class SequenceMaker {
 public:
  // `subject` must outlive the maker. `clock` is the time in milliseconds since 1970, which goes on
  // with each write.
  SequenceMaker(const Subject* subject, uint64_t seed, const ValueShape& shape, int64_t* clock)
      : subject_(subject), converter_(subject), clock_(clock), maker_(seed, shape) {}

  Sequence Make(const SequenceOptions& options);

 private:
  struct Write {
    bool apply = false;
    bool force = false;
    bool is_new = false;
    std::string version = {};
    std::string subresource = {};
    std::string manager = {};
    std::string uid = {};
    TrackedObject object = {};
    // The filter, which excludes one field or includes only one; empty: no filter.
    std::string excluded = {};
    std::string included = {};
  };
  using Entries = List<api::meta::v1::ManagedFieldsEntry>;

  const Schema& SchemaOf(const std::string& version) const {
    return *subject_->versions.at(version);
  }
  void MakeUniverse();
  unstructured::Value UniverseIn(absl::string_view version) const;
  // Sets the version, the kind and the name of an object.
  void Identify(unstructured::Value& object, absl::string_view version) const;
  std::string PickVersion();
  std::string PickManager();
  unstructured::Value MakeConfiguration(const std::string& manager, const std::string& version);
  void AddLastApplied(unstructured::Value& object, const std::string& version);
  Entries Tampered(Entries entries);
  Entries RequestedEntries();
  Write MakeWrite(const SequenceOptions& options, int index);
  void MakeApply(Write& write);
  void MakeUpdate(Write& write);
  void AddFilter(Write& write);

  unstructured::Value Describe(const Write& write) const;
  absl::StatusOr<TrackedObject> CarryOut(const FieldManager& manager, const Write& write,
                                         const WriteOptions& options);
  std::vector<std::string> Do(const Write& write);
  void Store(TrackedObject object, const std::string& uid);

  const Subject* const subject_;
  const SubjectConverter converter_;
  int64_t* const clock_;
  ValueMaker maker_;

  unstructured::Value universe_;     // of all that objects may have, in the first version
  unstructured::Value zero_object_;  // without version and kind
  TrackedObject live_;
  // Every second write is made with it: it must not change anything.
  FieldsV1Cache cache_;
  bool uses_cache_ = false;
  std::map<std::string, unstructured::Value> configurations_;  // the latest of each manager
};

// Counts the results of writes by their sort.
using ResultCounts = std::map<std::string, int>;

// Fails the test if Go's answer to the question differs, and shows the first write that does.
void CheckSequence(const Sequence& sequence, const unstructured::Value& go, ResultCounts& counts);

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_DIFFERENTIAL_RANDOM_WRITES_H_
