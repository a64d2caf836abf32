#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "api/storage/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Volumes and storage.k8s.io. CSIStorageCapacities have a printer upstream, but no registry uses
// it.
namespace kube::printers::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace storagev1 = api::storage::v1;

constexpr Column kVolumeColumns[] = {
    kName,
    {"Capacity", "string", "The size of the volume."},
    {"Access Modes", "string", "The access modes of the volume."},
    {"Reclaim Policy", "string", "What happens to the volume when its claim is deleted."},
    {"Status", "string", "The phase of the volume: available, bound, released or failed."},
    {"Claim", "string", "The claim that the volume is bound to."},
    {"StorageClass", "string", "The storage class of the volume."},
    {"VolumeAttributesClass", "string", "The VolumeAttributesClass of the volume."},
    {"Reason", "string", "The reason of the failure in one word."},
    kAge,
    {"VolumeMode", "string", "Whether the volume is a file system or a block device.", 1},
};

constexpr Column kClaimColumns[] = {
    kName,
    {"Status", "string", "The phase of the claim: pending, bound or lost."},
    {"Volume", "string", "The volume that the claim is bound to."},
    {"Capacity", "string", "The size of the bound volume."},
    {"Access Modes", "string", "The access modes of the volume."},
    {"StorageClass", "string", "The requested storage class."},
    {"VolumeAttributesClass", "string", "The requested VolumeAttributesClass."},
    kAge,
    {"VolumeMode", "string", "Whether the volume is a file system or a block device.", 1},
};

// As upstream, AllowVolumeExpansion has cells of type bool in a column of strings.
constexpr Column kStorageClassColumns[] = {
    kName,
    {"Provisioner", "string", "The provisioner of the volumes."},
    {"ReclaimPolicy", "string", "What happens to volumes when their claims are deleted."},
    {"VolumeBindingMode", "string",
     "Whether claims are bound immediately or when a pod uses them."},
    {"AllowVolumeExpansion", "string", "Whether volumes may be expanded."},
    kAge,
};

constexpr Column kVolumeAttributesClassColumns[] = {
    kName,
    {"DriverName", "string", "The CSI driver of the class."},
    kAge,
};

constexpr Column kVolumeAttachmentColumns[] = {
    kName,
    {"Attacher", "string", "The CSI driver that attaches the volume.", 0, "name"},
    {"PV", "string", "The persistent volume."},
    {"Node", "string", "The node that the volume should be attached to."},
    {"Attached", "boolean", "Whether the volume is attached."},
    kAge,
};

constexpr Column kCsiNodeColumns[] = {
    kName,
    {"Drivers", "integer", "The number of CSI drivers on the node."},
    kAge,
};

constexpr Column kCsiDriverColumns[] = {
    kName,
    {"AttachRequired", "boolean", "Whether volumes must be attached before they are mounted."},
    {"PodInfoOnMount", "boolean",
     "Whether the driver receives information about the pod when it mounts a volume."},
    {"StorageCapacity", "boolean",
     "Whether the scheduler considers the available storage capacity."},
    {"TokenRequests", "string",
     "The audiences of the service account tokens that the driver receives."},
    {"RequiresRepublish", "boolean", "Whether volumes are republished periodically."},
    {"Modes", "string", "The supported lifecycle modes of volumes: persistent or ephemeral."},
    kAge,
};

absl::string_view ValueOr(const Opt<String>& text, absl::string_view otherwise) {
  return text.has_value() ? text->view() : otherwise;
}

bool IsTrue(const metav1::ObjectMeta& metadata, absl::string_view annotation) {
  const String* value = metadata.annotations.find(annotation);
  return value != nullptr && *value == "true";
}

// Sorted in this order.
std::string AccessModes(const List<String>& modes) {
  constexpr std::pair<absl::string_view, absl::string_view> kShort[] = {
      {"ReadWriteOnce", "RWO"},
      {"ReadOnlyMany", "ROX"},
      {"ReadWriteMany", "RWX"},
      {"ReadWriteOncePod", "RWOP"},
  };
  std::vector<absl::string_view> found;
  for (const auto& [mode, name] : kShort) {
    if (std::find(modes.begin(), modes.end(), mode) != modes.end()) found.push_back(name);
  }
  return absl::StrJoin(found, ",");
}

std::string SizeOf(const Map<Quantity>& capacity) {
  return capacity.value_or("storage", Quantity()).ToString();
}

// The old annotation has precedence.
absl::string_view ClassOf(const metav1::ObjectMeta& metadata, absl::string_view member) {
  const String* annotation = metadata.annotations.find(corev1::kBetaStorageClassAnnotation);
  return annotation != nullptr ? annotation->view() : member;
}

absl::string_view PhaseOf(const metav1::ObjectMeta& metadata, absl::string_view phase) {
  return metadata.deletion_timestamp.has_value() ? "Terminating" : phase;
}

void PrintPersistentVolume(const corev1::PersistentVolume& volume, Row& row) {
  const corev1::PersistentVolumeSpec& spec = volume.spec;
  row.Text(volume.metadata.name);
  row.Text(SizeOf(spec.capacity));
  row.Text(AccessModes(spec.access_modes));
  row.Text(spec.persistent_volume_reclaim_policy);
  row.Text(PhaseOf(volume.metadata, volume.status.phase));
  row.Text(spec.claim_ref
               ? absl::StrCat(spec.claim_ref->namespace_.view(), "/", spec.claim_ref->name.view())
               : "");
  row.Text(ClassOf(volume.metadata, spec.storage_class_name));
  row.Text(ValueOr(spec.volume_attributes_class_name, kUnset));
  row.Text(volume.status.reason);
  row.Age(volume.metadata.creation_timestamp);
  row.Text(ValueOr(spec.volume_mode, kUnset));
}

void PrintPersistentVolumeClaim(const corev1::PersistentVolumeClaim& claim, Row& row) {
  const corev1::PersistentVolumeClaimSpec& spec = claim.spec;
  const bool bound = !spec.volume_name.empty();
  row.Text(claim.metadata.name);
  row.Text(PhaseOf(claim.metadata, claim.status.phase));
  row.Text(spec.volume_name);
  row.Text(bound ? SizeOf(claim.status.capacity) : "");
  row.Text(bound ? AccessModes(claim.status.access_modes) : "");
  row.Text(ClassOf(claim.metadata, ValueOr(spec.storage_class_name, "")));
  row.Text(ValueOr(spec.volume_attributes_class_name, kUnset));
  row.Age(claim.metadata.creation_timestamp);
  row.Text(ValueOr(spec.volume_mode, kUnset));
}

void PrintStorageClass(const storagev1::StorageClass& storage_class, Row& row) {
  const bool is_default =
      IsTrue(storage_class.metadata, "storageclass.kubernetes.io/is-default-class") ||
      IsTrue(storage_class.metadata, "storageclass.beta.kubernetes.io/is-default-class");
  row.Text(absl::StrCat(storage_class.metadata.name.view(), is_default ? " (default)" : ""));
  row.Text(storage_class.provisioner);
  row.Text(ValueOr(storage_class.reclaim_policy, "Delete"));
  row.Text(ValueOr(storage_class.volume_binding_mode, "Immediate"));
  row.Bool(*storage_class.allow_volume_expansion);
  row.Age(storage_class.metadata.creation_timestamp);
}

void PrintVolumeAttributesClass(const storagev1::VolumeAttributesClass& attributes, Row& row) {
  row.Text(attributes.metadata.name);
  row.Text(attributes.driver_name);
  row.Age(attributes.metadata.creation_timestamp);
}

void PrintVolumeAttachment(const storagev1::VolumeAttachment& attachment, Row& row) {
  row.Text(attachment.metadata.name);
  row.Text(attachment.spec.attacher);
  row.Text(*attachment.spec.source.persistent_volume_name);
  row.Text(attachment.spec.node_name);
  row.Bool(attachment.status.attached);
  row.Age(attachment.metadata.creation_timestamp);
}

void PrintCsiNode(const storagev1::CSINode& node, Row& row) {
  row.Text(node.metadata.name);
  row.Number(static_cast<int64_t>(node.spec.drivers.size()));
  row.Age(node.metadata.creation_timestamp);
}

std::string AudiencesOf(const storagev1::CSIDriverSpec& spec) {
  if (spec.token_requests.is_null()) return std::string(kUnset);
  return absl::StrJoin(spec.token_requests, ",", [](std::string* out, const auto& request) {
    absl::StrAppend(out, request.audience.view());
  });
}

void PrintCsiDriver(const storagev1::CSIDriver& driver, Row& row) {
  row.Text(driver.metadata.name);
  row.Bool(driver.spec.attach_required.value_or(true));
  row.Bool(*driver.spec.pod_info_on_mount);
  row.Bool(*driver.spec.storage_capacity);
  row.Text(AudiencesOf(driver.spec));
  row.Bool(*driver.spec.requires_republish);
  row.Text(OrElse(Join(driver.spec.volume_lifecycle_modes), kNone));
  row.Age(driver.metadata.creation_timestamp);
}

}  // namespace

std::vector<Printer> StoragePrinters() {
  return {
      PrinterOf<PrintPersistentVolume>(kVolumeColumns),
      PrinterOf<PrintPersistentVolumeClaim>(kClaimColumns),
      PrinterOf<PrintStorageClass>(kStorageClassColumns),
      PrinterOf<PrintVolumeAttributesClass>(kVolumeAttributesClassColumns),
      PrinterOf<PrintVolumeAttachment>(kVolumeAttachmentColumns),
      PrinterOf<PrintCsiNode>(kCsiNodeColumns),
      PrinterOf<PrintCsiDriver>(kCsiDriverColumns),
  };
}

}  // namespace kube::printers::internal
