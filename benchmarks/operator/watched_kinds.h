#ifndef BENCHMARKS_OPERATOR_WATCHED_KINDS_H_
#define BENCHMARKS_OPERATOR_WATCHED_KINDS_H_

#include "api/admissionregistration/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/batch/v1/types.kube.h"
#include "api/certificates/v1/types.kube.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "api/flowcontrol/v1/types.kube.h"
#include "api/networking/v1/types.kube.h"
#include "api/node/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "api/resource/v1/types.kube.h"
#include "api/scheduling/v1/types.kube.h"
#include "api/storage/v1/types.kube.h"

namespace kube::benchmarks {

template <typename... K>
struct KindList {};

// What the operator watches besides ConfigMaps and the metadata of CustomResourceDefinitions and
// APIServices: every other kind that a server of the release serves by default and that can be
// watched. go/kinds.go has the same kinds.
using WatchedKinds = KindList<
    api::admissionregistration::v1::MutatingAdmissionPolicy,
    api::admissionregistration::v1::MutatingAdmissionPolicyBinding,
    api::admissionregistration::v1::MutatingWebhookConfiguration,
    api::admissionregistration::v1::ValidatingAdmissionPolicy,
    api::admissionregistration::v1::ValidatingAdmissionPolicyBinding,
    api::admissionregistration::v1::ValidatingWebhookConfiguration,
    api::apps::v1::ControllerRevision, api::apps::v1::DaemonSet, api::apps::v1::Deployment,
    api::apps::v1::ReplicaSet, api::apps::v1::StatefulSet,
    api::autoscaling::v1::HorizontalPodAutoscaler, api::autoscaling::v2::HorizontalPodAutoscaler,
    api::batch::v1::CronJob, api::batch::v1::Job, api::certificates::v1::CertificateSigningRequest,
    api::coordination::v1::Lease, api::core::v1::Endpoints, api::core::v1::Event,
    api::core::v1::LimitRange, api::core::v1::Namespace, api::core::v1::Node,
    api::core::v1::PersistentVolume, api::core::v1::PersistentVolumeClaim, api::core::v1::Pod,
    api::core::v1::PodTemplate, api::core::v1::ReplicationController, api::core::v1::ResourceQuota,
    api::core::v1::Secret, api::core::v1::Service, api::core::v1::ServiceAccount,
    api::discovery::v1::EndpointSlice, api::events::v1::Event, api::flowcontrol::v1::FlowSchema,
    api::flowcontrol::v1::PriorityLevelConfiguration, api::networking::v1::IPAddress,
    api::networking::v1::Ingress, api::networking::v1::IngressClass,
    api::networking::v1::NetworkPolicy, api::networking::v1::ServiceCIDR,
    api::node::v1::RuntimeClass, api::policy::v1::PodDisruptionBudget, api::rbac::v1::ClusterRole,
    api::rbac::v1::ClusterRoleBinding, api::rbac::v1::Role, api::rbac::v1::RoleBinding,
    api::resource::v1::DeviceClass, api::resource::v1::ResourceClaim,
    api::resource::v1::ResourceClaimTemplate, api::resource::v1::ResourceSlice,
    api::scheduling::v1::PriorityClass, api::storage::v1::CSIDriver, api::storage::v1::CSINode,
    api::storage::v1::CSIStorageCapacity, api::storage::v1::StorageClass,
    api::storage::v1::VolumeAttachment, api::storage::v1::VolumeAttributesClass>;

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_OPERATOR_WATCHED_KINDS_H_
