#include "apimachinery/managedfields/internal/prune.h"

#include <compare>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/internal/object_views.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/remove_items.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/to_field_set.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/unstructured/value.h"

// Pruning has three steps, all with "completed" sets, which have the struct fields on the way to
// their members as members too:
//
// 1. Everything that the applier owned before is removed, with all that is below it.
// 2. What anybody owns now, the applier included, is added back. This is done once for each version
//    that a manager uses, with both objects converted to it; the version of the former fields comes
//    first, because others may not be convertible from an object that lacks required fields.
// 3. What was removed only because it was below something that the applier owned, but was not owned
//    by the applier itself, is added back.
//
// Nothing is really added: each step removes a smaller set from the merged object. In the usual
// case the applier owns what it owned before and nothing needs to be removed, which KeepsEverything
// finds out without copies of the object.
namespace kube::managedfields::internal {
namespace {

using unstructured::Value;

// Walks the nodes of one level in step with those of another.
class Cursor {
 public:
  explicit Cursor(const FieldSet& set) : at_(set.nodes().begin()), end_(set.nodes().end()) {}

  // Returns the node of `element`, or null. The elements of successive calls must ascend.
  const FieldSet::Node* Seek(const PathElement& element) {
    for (; at_ != end_; ++at_) {
      const std::strong_ordering order = at_->element <=> element;
      if (order == 0) return &*at_;
      if (order > 0) break;
    }
    return nullptr;
  }

 private:
  std::vector<FieldSet::Node>::const_iterator at_;
  std::vector<FieldSet::Node>::const_iterator end_;
};

const Schema* SchemaBelow(const Schema& schema, const PathElement& element) {
  if (element.type() == PathElement::Type::kField) {
    return schema.map == nullptr ? nullptr : schema.map->Find(element.field_name());
  }
  return schema.list == nullptr ? nullptr : schema.list->element;
}

// Returns whether the key field of a list item has the value that the item would have without it.
bool IsDefault(const ListSchema& list, absl::string_view name, const Value& value) {
  for (const ListKey& key : list.keys) {
    if (key.name == name) {
      return key.default_value.has_value() && EqualValues(*key.default_value, value);
    }
  }
  return false;
}

// Returns whether an item of which key fields are removed could get the key of `item`.
bool MayCollide(const PathElement& item, const ListSchema& list) {
  for (const ListKey& key : list.keys) {
    const Value* value = item.key()->find(key.name);
    if (value == nullptr || IsDefault(list, key.name, *value)) return true;
  }
  return false;
}

// Returns whether an item has the same key without the key fields that the applier does not own.
// `now` and `present` are the sets below the item.
bool KeepsKey(const PathElement& item, const FieldSet& now, const FieldSet& present,
              const ListSchema& list) {
  for (const auto& [name, value] : *item.key()) {
    const FieldSet::Node* field = present.Find(PathElement::Field(name.view()));
    if (field == nullptr) continue;  // The item has no such field: the key has its default.
    if (!field->is_member) return false;
    const FieldSet::Node* owned = now.Find(field->element);
    if (owned != nullptr && owned->is_member) continue;
    if (!IsDefault(list, name.view(), value)) return false;
  }
  return true;
}

bool KeepsAllKeys(const FieldSet& now, const FieldSet& present, const ListSchema& list) {
  const FieldSet nothing = {};
  Cursor owned(now);
  for (const FieldSet::Node& item : present.nodes()) {
    if (item.element.type() != PathElement::Type::kKey) continue;
    const FieldSet::Node* node = owned.Seek(item.element);
    const FieldSet& fields = node == nullptr ? nothing : node->children;
    if (!KeepsKey(item.element, fields, item.children, list)) return false;
  }
  return true;
}

// Returns the completed field set of an object.
absl::StatusOr<FieldSet> MembersOf(const Value& object, const Schema& schema) {
  KUBE_ASSIGN_OR_RETURN(const FieldSet set, ToFieldSet(object, schema));
  return EnsureNamedFieldsAreMembers(set, schema);
}

// One call of Prune. The converter, the managers and the former fields must outlive it.
class Pruner {
 public:
  Pruner(const VersionConverter* converter, const Managers* managers, const OwnedFields* last,
         const Schema* last_schema, absl::string_view version)
      : converter_(converter),
        managers_(managers),
        last_(last),
        last_schema_(last_schema),
        version_(version) {}

  // Takes the merged object, and converts it to the version of the former fields.
  absl::Status Start(Value merged);
  // Returns whether all managers use the version of the former fields.
  bool HasOneVersion() const;
  const FieldSet& present() const { return present_; }
  Value TakeMerged() { return std::move(merged_); }
  // Returns the pruned object. To be called once.
  absl::StatusOr<Value> Run();

 private:
  absl::Status AddBackOwned();
  absl::Status AddBackOwnedIn(absl::string_view version);
  absl::Status ConvertBoth(absl::string_view version);
  absl::StatusOr<Value> AddBackDangling(const FieldSet& last_members);

  const VersionConverter* const converter_;
  const Managers* const managers_;
  const OwnedFields* const last_;
  const Schema* const last_schema_;
  const absl::string_view version_;  // of the result

  // In the version of the former fields.
  Value merged_;
  FieldSet present_;  // the fields of `merged_`
  FieldSet members_;  // these, completed

  // In the version that step 2 is at.
  absl::string_view current_version_;
  const Schema* current_schema_ = nullptr;
  Value converted_;  // `merged_`, unless that is in this version
  bool is_converted_ = false;
  Value pruned_;
};

absl::Status Pruner::Start(Value merged) {
  merged_ = std::move(merged);
  if (last_->api_version != version_) {
    KUBE_ASSIGN_OR_RETURN(merged_,
                          ConvertObject(*converter_, merged_, last_->api_version, *last_schema_),
                          "failed to convert merged object to last applied version");
  }
  KUBE_ASSIGN_OR_RETURN(present_, ToFieldSet(merged_, *last_schema_),
                        "failed to create field set from merged object at version ",
                        last_->api_version);
  current_version_ = last_->api_version;
  current_schema_ = last_schema_;
  return absl::OkStatus();
}

bool Pruner::HasOneVersion() const {
  if (last_->api_version != version_) return false;
  for (const auto& [id, owned] : *managers_) {
    if (owned.api_version != version_) return false;
  }
  return true;
}

absl::StatusOr<Value> Pruner::Run() {
  members_ = EnsureNamedFieldsAreMembers(present_, *last_schema_);
  const FieldSet last_members = EnsureNamedFieldsAreMembers(last_->fields, *last_schema_);
  pruned_ = RemoveItems(merged_, last_members, *last_schema_);
  KUBE_RETURN_IF_ERROR(AddBackOwned(), "failed add back owned items");
  KUBE_ASSIGN_OR_RETURN(Value result, AddBackDangling(last_members),
                        "failed add back dangling items");
  if (last_->api_version == version_) return result;
  const Schema* schema = converter_->SchemaOf(version_);
  if (schema == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("no schema for ", version_));
  }
  return ConvertObject(*converter_, result, version_, *schema);
}

absl::Status Pruner::AddBackOwned() {
  bool has_last_version = false;
  std::set<absl::string_view> versions;
  for (const auto& [id, owned] : *managers_) {
    if (owned.api_version == last_->api_version) {
      has_last_version = true;
    } else {
      versions.insert(owned.api_version);
    }
  }
  if (has_last_version) {
    KUBE_RETURN_IF_ERROR(AddBackOwnedIn(last_->api_version));
  }
  for (const absl::string_view version : versions) {
    KUBE_RETURN_IF_ERROR(AddBackOwnedIn(version));
  }
  return absl::OkStatus();
}

absl::Status Pruner::AddBackOwnedIn(absl::string_view version) {
  if (version != current_version_) {
    KUBE_RETURN_IF_ERROR(ConvertBoth(version));
  }
  const Value& merged = is_converted_ ? converted_ : merged_;
  FieldSet members;
  if (is_converted_) {
    KUBE_ASSIGN_OR_RETURN(members, MembersOf(merged, *current_schema_),
                          "failed to create field set from merged object at version ", version);
  }
  KUBE_ASSIGN_OR_RETURN(const FieldSet left, MembersOf(pruned_, *current_schema_),
                        "failed to create field set from pruned object at version ", version);
  FieldSet unowned = (is_converted_ ? members : members_).Difference(left);
  if (!unowned.empty()) {
    std::vector<FieldSet> owned_sets;
    for (const auto& [id, owned] : *managers_) {
      if (owned.api_version != version) continue;
      owned_sets.push_back(EnsureNamedFieldsAreMembers(owned.fields, *current_schema_));
    }
    unowned = unowned.Difference(UnionOfAll(std::move(owned_sets)));
  }
  pruned_ = RemoveItems(merged, unowned, *current_schema_);
  return absl::OkStatus();
}

absl::Status Pruner::ConvertBoth(absl::string_view version) {
  const Schema* schema = converter_->SchemaOf(version);
  if (schema == nullptr) return absl::InvalidArgumentError(absl::StrCat("no schema for ", version));
  // From the version before, not from the first one, as upstream does.
  KUBE_ASSIGN_OR_RETURN(
      converted_,
      ConvertObject(*converter_, is_converted_ ? converted_ : merged_, version, *schema),
      "failed to convert merged object at version ", version);
  KUBE_ASSIGN_OR_RETURN(pruned_, ConvertObject(*converter_, pruned_, version, *schema),
                        "failed to convert pruned object at version ", version);
  is_converted_ = true;
  current_version_ = version;
  current_schema_ = schema;
  return absl::OkStatus();
}

absl::StatusOr<Value> Pruner::AddBackDangling(const FieldSet& last_members) {
  if (current_version_ != last_->api_version) {
    KUBE_ASSIGN_OR_RETURN(pruned_,
                          ConvertObject(*converter_, pruned_, last_->api_version, *last_schema_),
                          "failed to convert pruned object to last applied version");
  }
  KUBE_ASSIGN_OR_RETURN(const FieldSet left, MembersOf(pruned_, *last_schema_),
                        "failed to create field set from pruned object in last applied version");
  const FieldSet removed = members_.Difference(left).Intersection(last_members);
  // RemoveItems makes an empty object null, whatever it removes.
  const bool is_empty_object = merged_.is_object() && merged_.object()->empty();
  if (removed.empty() && !is_empty_object) return TakeMerged();
  return RemoveItems(merged_, removed, *last_schema_);
}

// Everything that both functions check before there is something to do. `skip_if_kept` is whether
// KeepsEverything may decide.
absl::StatusOr<Value> PruneObject(const VersionConverter& converter, Value merged,
                                  const Managers& managers, const ManagerId& applier,
                                  const OwnedFields& last, bool skip_if_kept) {
  const auto entry = managers.find(applier);
  if (last.fields.empty() || entry == managers.end()) return merged;
  const Schema* schema = converter.SchemaOf(last.api_version);
  // Nothing is known about fields of a version that does not exist any more: they are kept.
  if (schema == nullptr) return merged;
  const OwnedFields& now = entry->second;
  Pruner pruner(&converter, &managers, &last, schema, now.api_version);
  KUBE_RETURN_IF_ERROR(pruner.Start(std::move(merged)));
  if (skip_if_kept && pruner.HasOneVersion() &&
      KeepsEverything(last.fields, now.fields, pruner.present(), *schema)) {
    return pruner.TakeMerged();
  }
  return pruner.Run();
}

}  // namespace

// The argument, with the names of PruneFully's sets: step 2 removes "unowned" from the object, and
// step 3 removes those completed former fields that the result of step 2 does not have. If every
// leaf of the former fields is in the result of step 2, then so are all completed former fields
// that the object has, since they are such leaves or on the way to them; and nothing is removed.
//
// A leaf is in the result if neither itself nor anything above it is unowned, if nothing below it
// is unowned, and if the keys of the items above it stay what they are. The first holds because the
// applier owns the leaf and every member of the object's set above it; struct fields above it are
// owned by completion. The second holds because the object has nothing below the leaf. The third is
// not obvious: an item loses the key fields that nobody owns, and then has the default key or
// collides with an item that has it.
bool KeepsEverything(const FieldSet& last, const FieldSet& now, const FieldSet& present,
                     const Schema& schema) {
  Cursor owned_nodes(now);
  Cursor present_nodes(present);
  bool may_collide = false;
  for (const FieldSet::Node& node : last.nodes()) {
    const FieldSet::Node* owned = owned_nodes.Seek(node.element);
    const FieldSet::Node* there = present_nodes.Seek(node.element);
    if (owned == nullptr || there == nullptr) return false;
    if (there->is_member && !owned->is_member) return false;
    if (node.element.type() == PathElement::Type::kKey) {
      if (schema.list == nullptr ||
          !KeepsKey(node.element, owned->children, there->children, *schema.list)) {
        return false;
      }
      may_collide = may_collide || MayCollide(node.element, *schema.list);
    }
    if (node.children.empty()) {
      if (!owned->is_member || !there->is_member || !there->children.empty()) return false;
      continue;
    }
    const Schema* below = SchemaBelow(schema, node.element);
    if (below == nullptr ||
        !KeepsEverything(node.children, owned->children, there->children, *below)) {
      return false;
    }
  }
  return !may_collide || KeepsAllKeys(now, present, *schema.list);
}

absl::StatusOr<Value> Prune(const VersionConverter& converter, Value merged,
                            const Managers& managers, const ManagerId& applier,
                            const OwnedFields& last) {
  return PruneObject(converter, std::move(merged), managers, applier, last,
                     /*skip_if_kept=*/true);
}

absl::StatusOr<Value> PruneFully(const VersionConverter& converter, Value merged,
                                 const Managers& managers, const ManagerId& applier,
                                 const OwnedFields& last) {
  return PruneObject(converter, std::move(merged), managers, applier, last,
                     /*skip_if_kept=*/false);
}

}  // namespace kube::managedfields::internal
