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

// Holds the label and value of a field selector under the names that a server stores.
struct FieldLabel {
  std::string label = {};
  std::string value = {};

  friend bool operator==(const FieldLabel&, const FieldLabel&) = default;
};

// Converts a field selector's label and value from those of a request to those that a server
// stores. Returns an error for a label that the kind does not support. `Scheme::ConvertFieldLabel`
// calls it on its caller's thread. (client-go: `runtime.FieldLabelConversionFunc`)
using FieldLabelConversionFunc =
    std::function<absl::StatusOr<FieldLabel>(absl::string_view label, absl::string_view value)>;

// Accepts `metadata.name` and `metadata.namespace`, which every kind has, and returns them
// unchanged. Returns INVALID_ARGUMENT for any other label. (client-go:
// `runtime.DefaultMetaV1FieldSelectorConversion`)
absl::StatusOr<FieldLabel> DefaultMetaV1FieldSelectorConversion(absl::string_view label,
                                                                absl::string_view value);

// A Scheme is the set of kinds that a program knows; it maps between their names and their C++
// types. (client-go: `runtime.Scheme`)
//
//   Scheme scheme("my-controller");
//   KUBE_RETURN_IF_ERROR(AddToScheme(scheme, appsv1::Kinds()));
//   KUBE_RETURN_IF_ERROR(AddToScheme(scheme, corev1::Kinds()));
//   KUBE_ASSIGN_OR_RETURN(const codec::AnyObject object, scheme.New({"apps", "v1", "Deployment"}));
//   return scheme.ObjectKinds(object);
//
// No kind registers itself: a scheme holds only the kinds that were added to it, and a program
// links only the types that it names. A type may have several kinds (ListOptions has one in each
// group-version); a kind has exactly one type. Unlike client-go's, a scheme does not convert
// objects between versions.
//
// Build, then immutable: the methods that add or set something are not thread-safe, all others are.
// The KindInfos that were added must outlive the scheme. The KindInfos that the scheme returns live
// as long as it does and survive a move of it; objects made from them must not outlive them.
class Scheme {
 public:
  // Creates an empty scheme. `name` appears in error texts. (client-go uses the place of the call
  // instead.)
  explicit Scheme(std::string name = "default") : name_(std::move(name)) {}
  Scheme(Scheme&&) = default;
  Scheme& operator=(Scheme&&) = default;

  const std::string& name() const { return name_; }

  // ---- Registration

  // Adds all of `kinds`, which must outlive the scheme, as those of a generated `Kinds()` do. A
  // kind that is already registered with the same type is skipped. Returns ALREADY_EXISTS if a kind
  // is registered with another type, and INVALID_ARGUMENT if a kind has no version; then no kind is
  // added. (client-go: `Scheme.AddKnownTypes`, which panics)
  absl::Status AddKinds(absl::Span<const KindInfo> kinds);

  // Registers the type of `kind` under `name`. The errors are those of AddKinds. (client-go:
  // `Scheme.AddKnownTypeWithName`)
  absl::Status AddKnownTypeWithName(const schema::GroupVersionKind& name, const KindInfo& kind);

  // Adds kinds that belong to no version, such as Status: New finds them by their kind alone,
  // whatever the group-version. Returns ALREADY_EXISTS if another type is registered as an
  // unversioned kind of the same name; the other errors are those of AddKinds. (client-go:
  // `Scheme.AddUnversionedTypes`)
  absl::Status AddUnversionedKinds(absl::Span<const KindInfo> kinds);

  // ---- Kinds and types

  // Returns every kind under which the object's type is registered, in the order of registration;
  // the result is never empty. Returns an error that satisfies IsNotRegistered if the type is not
  // registered. (client-go: `Scheme.ObjectKinds`)
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
  // Returns the kind that the object itself states, registered or not. Returns an error that
  // satisfies IsMissingKind or IsMissingVersion if the object does not state it.
  absl::StatusOr<std::vector<schema::GroupVersionKind>> ObjectKinds(
      const unstructured::Unstructured& object) const;

  // Returns whether T was added by AddUnversionedKinds. (client-go: `Scheme.IsUnversioned`, and the
  // second result of `Scheme.ObjectKinds`)
  template <ApiStruct T>
  bool IsUnversioned() const {
    return unversioned_types_.contains(&T::kMessage);
  }

  // Returns a new object with all fields zero. Returns an error that satisfies IsNotRegistered if
  // the kind is not registered. (client-go: `Scheme.New`)
  absl::StatusOr<codec::AnyObject> New(const schema::GroupVersionKind& kind) const;

  // Returns the description of a kind that New can make, or null if the kind is not registered.
  const KindInfo* Find(const schema::GroupVersionKind& kind) const;

  bool Recognizes(const schema::GroupVersionKind& kind) const { return kinds_.contains(kind); }

  // Returns the kinds of `version` by name. (client-go: `Scheme.KnownTypes`)
  std::map<std::string, const KindInfo*> KnownTypes(const schema::GroupVersion& version) const;
  std::map<schema::GroupVersionKind, const KindInfo*> AllKnownTypes() const;

  // ---- Versions

  // Sets the order of preference of one group's versions, best first, and replaces the group's
  // previous order. Returns INVALID_ARGUMENT if `versions` is empty, names several groups, or has
  // an element without a version. (client-go: `Scheme.SetVersionPriority`)
  absl::Status SetVersionPriority(const std::vector<schema::GroupVersion>& versions);

  // Returns the versions of `group`, best first: first those of SetVersionPriority, then the others
  // in the order of registration.
  std::vector<schema::GroupVersion> PrioritizedVersionsForGroup(absl::string_view group) const;
  // Returns the versions of all groups: first those of SetVersionPriority, sorted by group, then
  // the others in the order of registration. (client-go's order of groups is random.)
  std::vector<schema::GroupVersion> PrioritizedVersionsAllGroups() const;
  // Returns the best version of each group.
  std::vector<schema::GroupVersion> PreferredVersionAllGroups() const;
  // Returns the versions in which `kind` is registered, best first.
  std::vector<schema::GroupVersion> VersionsForGroupKind(const schema::GroupKind& kind) const;

  bool IsGroupRegistered(absl::string_view group) const;
  bool IsVersionRegistered(const schema::GroupVersion& version) const;

  // ---- Defaults and field labels

  // Sets the function that fills absent fields of a T, and replaces any previous one. `fn` is
  // called by Default on its caller's thread; several threads may call it at the same time.
  // (client-go: `Scheme.AddTypeDefaultingFunc`)
  template <ApiStruct T>
  void AddTypeDefaultingFunc(std::function<void(T&)> fn) {
    defaulting_funcs_[&T::kMessage] = [fn = std::move(fn)](void* object) {
      fn(*static_cast<T*>(object));
    };
  }

  // Calls the defaulting function of the object's type; does nothing if the type has none.
  // (client-go: `Scheme.Default`)
  template <ApiStruct T>
  void Default(T& object) const {
    Default(&object, T::kMessage);
  }
  void Default(codec::AnyObject& object) const { Default(object.data(), *object.kind().message); }
  // `object` points to an object of the type that `message` describes.
  void Default(void* object, const kube::table::Message& message) const;

  // Sets the function that converts field labels of `kind`, and replaces any previous one.
  // (client-go: `Scheme.AddFieldLabelConversionFunc`)
  void AddFieldLabelConversionFunc(const schema::GroupVersionKind& kind,
                                   FieldLabelConversionFunc fn) {
    field_label_funcs_[kind] = std::move(fn);
  }

  // Converts a label with the function set for `kind`, or with DefaultMetaV1FieldSelectorConversion
  // if none is set. Returns the error of that function. (client-go: `Scheme.ConvertFieldLabel`)
  absl::StatusOr<FieldLabel> ConvertFieldLabel(const schema::GroupVersionKind& kind,
                                               absl::string_view label,
                                               absl::string_view value) const;

 private:
  // Describes a registered kind. If it is registered under the name that the added KindInfo has,
  // `given` points to that. Otherwise `given` is null and `renamed` is a copy with the other name;
  // its views point into the key of the map's node, whose address is stable.
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
