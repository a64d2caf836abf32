#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_JSON_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_JSON_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/managedfields/internal/typed_plan.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

// The JSON of parts of API structs, for comparisons: tells whether two parts have the same JSON,
// mostly without making it, and makes it. JSON is the same if managedfields::EqualValues says so of
// the Values. Pointers to a member point to what the struct holds (a List, a Box, an Opt ...),
// those to an element to a value in it. Gathers errors until they are asked for. Thread-compatible.
class TypedJson {
 public:
  // Counts the open structs of a walk. A walk must not go into a struct that is too deep.
  class Level {
   public:
    explicit Level(TypedJson& json);
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --json_.depth_; }
    bool is_too_deep() const { return is_too_deep_; }

   private:
    TypedJson& json_;
    bool is_too_deep_ = false;
  };

  // Return whether the JSON of both is the same. For members that includes that both are left out.
  // They are exact, except that a part with an error may count as different or as the same.
  bool SameStruct(const char* a, const char* b, const TypedPlan& plan);
  bool SameMember(const char* a, const char* b, const TypedMember& member);
  bool SameElement(const char* a, const char* b, kube::table::Type type, const TypedPlan* sub);

  // Return the JSON, which may be nested as deep as any JSON, or null after an error, which is
  // noted.
  unstructured::Value ValueOf(const char* element, kube::table::Type type);
  unstructured::Value ValueOf(const char* member_at, const TypedMember& member);

  void Note(const absl::Status& status) { status_.Update(status); }
  // Returns OK or the first error.
  const absl::Status& status() const { return status_; }

 private:
  bool SameMemberJson(const char* a, const char* b, const TypedMember& member);
  bool SameElementJson(const char* a, const char* b, kube::table::Type type);
  bool SameNulls(const char* a, const char* b, const TypedMember& member);
  bool SameLists(const char* a, const char* b, const TypedMember& member);
  bool SameMaps(const char* a, const char* b, const TypedMember& member);
  bool SameItems(const kube::table::ListBlock* a, const kube::table::ListBlock* b,
                 kube::table::Type type, const TypedPlan* sub);
  bool SameValues(const unstructured::Value& a, const unstructured::Value& b,
                  kube::table::Kind kind);
  unstructured::Value Parse(const absl::StatusOr<std::string>& json);

  absl::Status status_;
  int depth_ = 0;
};

// Returns whether the JSON of the member's struct has the member. Its value may be null.
bool IsWritten(const char* member_at, const TypedMember& member);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_TYPED_JSON_H_
