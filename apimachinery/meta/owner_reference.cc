#include "apimachinery/meta/owner_reference.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"

namespace kube::meta {

namespace metav1 = api::meta::v1;

namespace {

constexpr absl::string_view kAlreadyOwnedPayload = "kubernetes.io/AlreadyOwned";

bool IsController(const metav1::OwnerReference& reference) { return *reference.controller; }

metav1::OwnerReference ReferenceTo(const metav1::ObjectMeta& owner,
                                   const schema::GroupVersionKind& kind) {
  return {.api_version = kind.group_version().ToString(),
          .kind = kind.kind,
          .name = owner.name,
          .uid = owner.uid};
}

// A reference with a malformed apiVersion equals none, not even itself.
bool IsSameOwner(const metav1::OwnerReference& a, const metav1::OwnerReference& b) {
  const absl::StatusOr<schema::GroupVersion> a_version =
      schema::ParseGroupVersion(a.api_version.view());
  const absl::StatusOr<schema::GroupVersion> b_version =
      schema::ParseGroupVersion(b.api_version.view());
  return a_version.ok() && b_version.ok() && a_version->group == b_version->group &&
         a.kind == b.kind && a.name == b.name;
}

template <typename References>
auto FindOwner(References& references, const metav1::OwnerReference& owner)
    -> decltype(references.begin()) {
  for (auto each = references.begin(); each != references.end(); ++each) {
    if (IsSameOwner(*each, owner)) return each;
  }
  return references.end();
}

absl::Status CheckOwner(const metav1::ObjectMeta& owner, const metav1::ObjectMeta& object) {
  if (owner.namespace_.empty() || owner.namespace_ == object.namespace_) return absl::OkStatus();
  if (object.namespace_.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ",
        owner.namespace_.view()));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("cross-namespace owner references are disallowed, owner's namespace ",
                   owner.namespace_.view(), ", obj's namespace ", object.namespace_.view()));
}

absl::Status AlreadyOwned(const metav1::ObjectMeta& object, const metav1::OwnerReference& owner) {
  absl::Status error = absl::AlreadyExistsError(absl::StrCat(
      "Object ", object.namespace_.view(), "/", object.name.view(), " is already owned by another ",
      owner.kind.view(), " controller ", owner.name.view()));
  error.SetPayload(kAlreadyOwnedPayload, absl::Cord());
  return error;
}

absl::Status NoOwner(const metav1::ObjectMeta& object, const metav1::OwnerReference& owner,
                     absl::string_view what) {
  return absl::NotFoundError(absl::StrCat("object ", object.namespace_.view(), "/",
                                          object.name.view(), " has no ", what, " ",
                                          owner.kind.view(), " ", owner.name.view()));
}

void Upsert(metav1::OwnerReference reference, metav1::ObjectMeta& object) {
  List<metav1::OwnerReference>& references = object.owner_references;
  const auto existing = FindOwner(references, reference);
  if (existing == references.end()) {
    references.push_back(std::move(reference));
  } else {
    *existing = std::move(reference);
  }
}

}  // namespace

metav1::OwnerReference NewControllerRef(const metav1::ObjectMeta& owner,
                                        const schema::GroupVersionKind& owner_kind) {
  metav1::OwnerReference reference = ReferenceTo(owner, owner_kind);
  reference.controller = true;
  reference.block_owner_deletion = true;
  return reference;
}

const metav1::OwnerReference* GetControllerOf(const metav1::ObjectMeta& object) {
  for (const metav1::OwnerReference& reference : object.owner_references) {
    if (IsController(reference)) return &reference;
  }
  return nullptr;
}

bool IsControlledBy(const metav1::ObjectMeta& object, const metav1::ObjectMeta& owner) {
  const metav1::OwnerReference* controller = GetControllerOf(object);
  return controller != nullptr && controller->uid == owner.uid;
}

absl::Status SetControllerReference(const metav1::ObjectMeta& owner,
                                    const schema::GroupVersionKind& owner_kind,
                                    metav1::ObjectMeta& object,
                                    const OwnerReferenceOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckOwner(owner, object));
  metav1::OwnerReference reference = NewControllerRef(owner, owner_kind);
  if (options.block_owner_deletion.has_value()) {
    reference.block_owner_deletion = options.block_owner_deletion;
  }
  const metav1::OwnerReference* controller = GetControllerOf(object);
  if (controller != nullptr && !IsSameOwner(*controller, reference)) {
    return AlreadyOwned(object, *controller);
  }
  Upsert(std::move(reference), object);
  return absl::OkStatus();
}

bool IsAlreadyOwned(const absl::Status& error) {
  return error.GetPayload(kAlreadyOwnedPayload).has_value();
}

absl::Status SetOwnerReference(const metav1::ObjectMeta& owner,
                               const schema::GroupVersionKind& owner_kind,
                               metav1::ObjectMeta& object, const OwnerReferenceOptions& options) {
  KUBE_RETURN_IF_ERROR(CheckOwner(owner, object));
  metav1::OwnerReference reference = ReferenceTo(owner, owner_kind);
  if (options.block_owner_deletion.has_value()) {
    reference.block_owner_deletion = options.block_owner_deletion;
  }
  Upsert(std::move(reference), object);
  return absl::OkStatus();
}

absl::Status RemoveOwnerReference(const metav1::ObjectMeta& owner,
                                  const schema::GroupVersionKind& owner_kind,
                                  metav1::ObjectMeta& object) {
  const metav1::OwnerReference reference = ReferenceTo(owner, owner_kind);
  const auto existing = FindOwner(object.owner_references, reference);
  if (existing == object.owner_references.end()) return NoOwner(object, reference, "owner");
  object.owner_references.erase(existing);
  return absl::OkStatus();
}

absl::Status RemoveControllerReference(const metav1::ObjectMeta& owner,
                                       const schema::GroupVersionKind& owner_kind,
                                       metav1::ObjectMeta& object) {
  const metav1::OwnerReference reference = ReferenceTo(owner, owner_kind);
  const auto existing = FindOwner(object.owner_references, reference);
  if (existing == object.owner_references.end() || !IsController(*existing)) {
    return NoOwner(object, reference, "controller");
  }
  object.owner_references.erase(existing);
  return absl::OkStatus();
}

bool HasOwnerReference(const List<metav1::OwnerReference>& references,
                       const metav1::ObjectMeta& owner,
                       const schema::GroupVersionKind& owner_kind) {
  return FindOwner(references, ReferenceTo(owner, owner_kind)) != references.end();
}

bool HasControllerReference(const metav1::ObjectMeta& object) {
  return GetControllerOf(object) != nullptr;
}

namespace internal {

absl::Status NoMetadataError() {
  return absl::InvalidArgumentError("set owner references: metadata is not an object");
}

}  // namespace internal
}  // namespace kube::meta
