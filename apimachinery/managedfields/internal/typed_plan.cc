#include "apimachinery/managedfields/internal/typed_plan.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/walk.h"

// A plan is made together with those of all structs in it, and then not changed any more. As with
// schemas, a struct is registered before its members are visited, because structs may contain
// themselves. One struct may have several plans, since a field may override what its type says.
namespace kube::managedfields::internal {
namespace {

using kube::table::Field;
using kube::table::Kind;
using kube::table::Message;
using kube::table::Shape;

// Returns whether the JSON of a value of this kind is a scalar and never null.
bool IsScalar(Kind kind) {
  switch (kind) {
    case Kind::kString:
    case Kind::kQuantity:
    case Kind::kBool:
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
    case Kind::kDuration:
    case Kind::kIntOrString:
      return true;
    default:
      return false;
  }
}

// Returns whether the JSON of the struct has the field, whatever its value.
bool IsAlwaysInJson(const Message& message, absl::string_view name) {
  constexpr int kMayBeLeftOut =
      kube::table::kOmitEmpty | kube::table::kOmitZero | kube::table::kNoJson;
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    if (message.field_name(field) == name) {
      return (field.flags & kMayBeLeftOut) == 0 && message.all_optional == 0;
    }
  }
  return false;
}

// Returns whether a list may have items without a key.
bool MayLackKeys(const TypedMember& member) {
  if (member.shape != Shape::kList || !member.schema->list->associative) return false;
  const ListSchema& list = *member.schema->list;
  if (list.keys.empty()) return !IsScalar(member.type.kind);
  if (member.sub == nullptr || !member.sub->is_object()) return true;
  return std::none_of(list.keys.begin(), list.keys.end(), [&member](const ListKey& key) {
    return key.default_value.has_value() || IsAlwaysInJson(*member.sub->message, key.name);
  });
}

// Makes plans and keeps them. Thread-safe.
class TypedPlans {
 public:
  const TypedPlan& Of(const Message& message) {
    const Schema& schema = SchemaOf(message);
    base::MutexLock lock(mutex_);
    const size_t known = plans_.size();
    const TypedPlan& plan = OfStruct(message, schema);
    FindChecks(known);
    return plan;
  }

 private:
  const TypedPlan& OfStruct(const Message& message, const Schema& schema)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  TypedMember MakeMember(const Message& message, const Field& field, const Schema& schema)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Sets needs_check of the plans from `first` on, which may refer to each other and to those
  // before.
  void FindChecks(size_t first) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  base::Mutex mutex_;
  std::deque<TypedPlan> plans_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::pair<const Message*, const Schema*>, const TypedPlan*> by_type_
      ABSL_GUARDED_BY(mutex_);
};

const TypedPlan& TypedPlans::OfStruct(const Message& message, const Schema& schema) {
  const auto [place, is_new] = by_type_.try_emplace(std::make_pair(&message, &schema), nullptr);
  if (!is_new) return *place->second;
  TypedPlan& plan = plans_.emplace_back();
  place->second = &plan;
  plan.message = &message;
  plan.schema = &schema;
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    if ((field.flags & kube::table::kNoJson) != 0) continue;
    // The parts of a struct that is not an object in JSON are not looked at one by one.
    const Schema* member =
        plan.is_object() ? schema.map->FindField(message.field_name(field)) : &DeducedSchema();
    plan.members.push_back(MakeMember(message, field, *member));
  }
  std::sort(plan.members.begin(), plan.members.end(),
            [](const TypedMember& a, const TypedMember& b) { return a.name < b.name; });
  return plan;
}

TypedMember TypedPlans::MakeMember(const Message& message, const Field& field,
                                   const Schema& schema) {
  TypedMember member = {.name = message.field_name(field),
                        .owner = &message,
                        .field = &field,
                        .shape = field.shape,
                        .type = kube::table::ElementType(message, field),
                        .schema = &schema};
  const bool is_string_list = field.kind == Kind::kStringList && field.shape == Shape::kValue;
  if (is_string_list) member.shape = Shape::kList;
  if (field.kind == Kind::kMessage) {
    const Message& sub = message.sub_message(field);
    const Schema* element = &schema;
    if (member.shape == Shape::kList && schema.list != nullptr) element = schema.list->element;
    if (member.shape == Shape::kMap && schema.map != nullptr) element = schema.map->element;
    // What is below a value of which nothing is known has the schema of its type, which is only
    // there to be found again.
    if (element == nullptr || element->map == nullptr || element == &DeducedSchema() ||
        element == &UntypedAtomicSchema()) {
      element = &SchemaOf(sub);
    }
    member.sub = &OfStruct(sub, *element);
  }
  member.needs_check = MayLackKeys(member);
  return member;
}

void TypedPlans::FindChecks(size_t first) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (size_t i = first; i < plans_.size(); ++i) {
      TypedPlan& plan = plans_[i];
      if (plan.needs_check || !plan.is_object()) continue;
      plan.needs_check =
          std::any_of(plan.members.begin(), plan.members.end(), [](const TypedMember& member) {
            return member.needs_check || (member.sub != nullptr && member.sub->needs_check);
          });
      is_changed = is_changed || plan.needs_check;
    }
  }
}

}  // namespace

const TypedMember* TypedPlan::Find(absl::string_view name) const {
  const auto found = std::lower_bound(
      members.begin(), members.end(), name,
      [](const TypedMember& member, absl::string_view wanted) { return member.name < wanted; });
  return found == members.end() || found->name != name ? nullptr : &*found;
}

const TypedPlan& TypedPlanOf(const Message& message) {
  static base::NoDestructor<TypedPlans> plans;
  return plans->Of(message);
}

}  // namespace kube::managedfields::internal
