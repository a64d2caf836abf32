#ifndef APIMACHINERY_SCHEME_SCHEME_H_
#define APIMACHINERY_SCHEME_SCHEME_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::scheme {

// A field selector's label and value, as a server stores them.
struct FieldLabel {
  std::string label = {};
  std::string value = {};

  friend bool operator==(const FieldLabel&, const FieldLabel&) = default;
};

// The label and value for those of a request; an error for labels that the kind does not have.
// (runtime.FieldLabelConversionFunc)
using FieldLabelConversionFunc =
    std::function<absl::StatusOr<FieldLabel>(absl::string_view label, absl::string_view value)>;

// metadata.name and metadata.namespace, which every kind has; INVALID_ARGUMENT for other labels.
// (runtime.DefaultMetaV1FieldSelectorConversion)
absl::StatusOr<FieldLabel> DefaultMetaV1FieldSelectorConversion(absl::string_view label,
                                                                absl::string_view value);

// Which kinds a program knows: goes between their names and their C++ types. (runtime.Scheme)
//
//   Scheme scheme("my-controller");
//   KUBE_RETURN_IF_ERROR(AddToScheme(scheme, appsv1::Kinds()));       // scheme/add_to_scheme.h
//   KUBE_RETURN_IF_ERROR(AddToScheme(scheme, examplev1::Kinds()));    // of one's own kube_library
//   absl::StatusOr<AnyObject> object = scheme.New({"apps", "v1", "Deployment"});
//   absl::StatusOr<std::vector<GroupVersionKind>> kinds = scheme.ObjectKinds<appsv1::Deployment>();
//
// Nothing registers itself: a scheme has what it was given, and a program links no more. A type may
// have several kinds, as ListOptions has one in each group-version; a kind has one type.
// There is no conversion between versions.
//
// Build, then immutable: what adds and sets is not thread-safe, all else is. KindInfos that come
// out of it live as long as the scheme and those that went in, and so must objects made with them
// not outlive it. Movable: what it gave out stays good.
class Scheme {
 public:
  // `name` is for error texts. (Go takes the place of the call)
  explicit Scheme(std::string name = "default") : name_(std::move(name)) {}
  Scheme(Scheme&&) = default;
  Scheme& operator=(Scheme&&) = default;

  const std::string& name() const { return name_; }

  // ---- Registration

  // All of `kinds`, which outlive the scheme, as those of Kinds() do. A kind that is there already
  // with the same type stays as it is. ALREADY_EXISTS: it has another type; INVALID_ARGUMENT: a
  // kind has no version. Then none was added. (AddKnownTypes, which panics)
  absl::Status AddKinds(absl::Span<const KindInfo> kinds);

  // The type of `kind` under another name. (AddKnownTypeWithName)
  absl::Status AddKnownTypeWithName(const schema::GroupVersionKind& name, const KindInfo& kind);

  // Kinds that belong to no version, such as Status: New finds them by their kind alone in every
  // group-version. (AddUnversionedTypes)
  absl::Status AddUnversionedKinds(absl::Span<const KindInfo> kinds);

  // ---- Kinds and types

  // Every kind of an object's type, in the order of registration; never none. IsNotRegistered: the
  // scheme lacks the type. (ObjectKinds)
  template <ApiStruct T>
  absl::StatusOr<std::vector<schema::GroupVersionKind>> ObjectKinds() const {
    return ObjectKinds(T::kMessage);
  }
  absl::StatusOr<std::vector<schema::GroupVersionKind>> ObjectKinds(
      const codec::AnyObject& object) const {
    return ObjectKinds(*object.kind().message);
  }
  absl::StatusOr<std::vector<schema::GroupVersionKind>> ObjectKinds(
      const kube::table::Message& message) const;
  // The kind that it says, registered or not. IsMissingKind, IsMissingVersion: it says none.
  absl::StatusOr<std::vector<schema::GroupVersionKind>> ObjectKinds(
      const unstructured::Unstructured& object) const;

  // (IsUnversioned, and the second result of ObjectKinds)
  template <ApiStruct T>
  bool IsUnversioned() const {
    return unversioned_types_.contains(&T::kMessage);
  }

  // A new object, all zero. IsNotRegistered: the scheme lacks the kind. (New)
  absl::StatusOr<codec::AnyObject> New(const schema::GroupVersionKind& kind) const;

  // What is known of a kind that New makes; null: nothing.
  const KindInfo* Find(const schema::GroupVersionKind& kind) const;

  bool Recognizes(const schema::GroupVersionKind& kind) const { return kinds_.contains(kind); }

  // By kind. (KnownTypes)
  std::map<std::string, const KindInfo*> KnownTypes(const schema::GroupVersion& version) const;
  std::map<schema::GroupVersionKind, const KindInfo*> AllKnownTypes() const;

  // ---- Versions

  // The versions of one group, best first, in place of any order before. INVALID_ARGUMENT where
  // they are of several groups, of none, or have no version. (SetVersionPriority)
  absl::Status SetVersionPriority(const std::vector<schema::GroupVersion>& versions);

  // Best first: those with a priority, then the others as they were registered.
  std::vector<schema::GroupVersion> PrioritizedVersionsForGroup(absl::string_view group) const;
  // Groups with a priority first, by name. (Go: in any order)
  std::vector<schema::GroupVersion> PrioritizedVersionsAllGroups() const;
  // The best of each group.
  std::vector<schema::GroupVersion> PreferredVersionAllGroups() const;
  // Those that have the kind, best first.
  std::vector<schema::GroupVersion> VersionsForGroupKind(const schema::GroupKind& kind) const;

  bool IsGroupRegistered(absl::string_view group) const;
  bool IsVersionRegistered(const schema::GroupVersion& version) const;

  // ---- Defaults and field labels

  // Sets what is absent in a T, in place of any such function before. `fn` is called by Default, on
  // its thread, perhaps by several at once. (AddTypeDefaultingFunc)
  template <ApiStruct T>
  void AddTypeDefaultingFunc(std::function<void(T&)> fn) {
    defaulting_funcs_[&T::kMessage] = [fn = std::move(fn)](void* object) {
      fn(*static_cast<T*>(object));
    };
  }

  // Nothing happens to types without a defaulting function. (Default)
  template <ApiStruct T>
  void Default(T& object) const {
    Default(&object, T::kMessage);
  }
  void Default(codec::AnyObject& object) const { Default(object.data(), *object.kind().message); }
  // Of what `message` describes.
  void Default(void* object, const kube::table::Message& message) const;

  // In place of any such function before. (AddFieldLabelConversionFunc)
  void AddFieldLabelConversionFunc(const schema::GroupVersionKind& kind,
                                   FieldLabelConversionFunc fn) {
    field_label_funcs_[kind] = std::move(fn);
  }

  // By the kind's function; DefaultMetaV1FieldSelectorConversion if it has none.
  // (ConvertFieldLabel)
  absl::StatusOr<FieldLabel> ConvertFieldLabel(const schema::GroupVersionKind& kind,
                                               absl::string_view label,
                                               absl::string_view value) const;

 private:
  // A kind. Where its name is not the one in `given`, `renamed` is a copy of that with its own,
  // which views the names in the key of the map: they stay where they are.
  struct Registered {
    const KindInfo* given = nullptr;
    KindInfo renamed = {};
    const KindInfo& info() const { return given != nullptr ? *given : renamed; }
  };

  absl::Status CheckNew(const schema::GroupVersionKind& name, const KindInfo& kind) const;
  void Add(const schema::GroupVersionKind& name, const KindInfo& kind);
  void Observe(const schema::GroupVersion& version);

  std::string name_;
  std::map<schema::GroupVersionKind, Registered> kinds_;
  absl::flat_hash_map<const kube::table::Message*, std::vector<schema::GroupVersionKind>>
      kinds_of_type_;
  absl::flat_hash_map<const kube::table::Message*, schema::GroupVersionKind> unversioned_types_;
  std::map<std::string, const KindInfo*> unversioned_kinds_;
  std::map<std::string, std::vector<std::string>> version_priority_;
  std::vector<schema::GroupVersion> observed_versions_;
  absl::flat_hash_map<const kube::table::Message*, std::function<void(void*)>> defaulting_funcs_;
  std::map<schema::GroupVersionKind, FieldLabelConversionFunc> field_label_funcs_;
};

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_SCHEME_H_
