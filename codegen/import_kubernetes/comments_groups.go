package main

// What the other groups' constants mean, in our words: see comments.go.
const groupComments = `
: apps
ControllerRevisionHashLabelKey: Label of a ControllerRevision, and of pods made from it: the hash of its content.
StatefulSetRevisionLabel: The same as kControllerRevisionHashLabelKey.
DeprecatedRollbackTo: Annotation that keeps the field rollbackTo of the old versions of Deployment.
DeprecatedTemplateGeneration: Annotation that keeps the field templateGeneration of the old versions of DaemonSet.
StatefulSetPodNameLabel: Label of a StatefulSet's pod: its name, so that a Service can select it alone.
PodIndexLabel: Label of a StatefulSet's pod: its ordinal number.
DefaultDeploymentUniqueLabelKey: Label of a Deployment's ReplicaSets and pods: the hash of the pod template.
DefaultDaemonSetUniqueLabelKey: Label of a DaemonSet's pods: the hash of the pod template.
: DaemonSetUpdateStrategyType
RollingUpdateDaemonSetStrategyType: Pods are replaced some at a time. The default.
OnDeleteDaemonSetStrategyType: Pods are replaced when somebody deletes them.
: DeploymentConditionType
DeploymentAvailable: Whether as many pods are available as the strategy demands.
DeploymentProgressing: Whether a rollout goes on, or is done; False if it has come to a halt.
DeploymentReplicaFailure: Pods cannot be created or deleted; the message says why.
: DeploymentStrategyType
RecreateDeploymentStrategyType: All old pods go, and then the new ones come.
RollingUpdateDeploymentStrategyType: Pods are replaced some at a time. The default.
: PersistentVolumeClaimRetentionPolicyType
RetainPersistentVolumeClaimRetentionPolicyType: Claims stay. The default.
DeletePersistentVolumeClaimRetentionPolicyType: Claims go with their pods.
: PodManagementPolicyType
OrderedReadyPodManagement: Pods come one after the other, each when the one before is ready. The default.
ParallelPodManagement: Pods come and go all at once.
: ReplicaSetConditionType
ReplicaSetReplicaFailure: Pods cannot be created or deleted; the message says why.
: StatefulSetUpdateStrategyType
RollingUpdateStatefulSetStrategyType: Pods are replaced from the highest ordinal down. The default.
OnDeleteStatefulSetStrategyType: Pods are replaced when somebody deletes them.
: authentication
ImpersonateUserHeader: Header: the name of the user to act as.
ImpersonateGroupHeader: Header: a group of the user to act as; may be repeated.
ImpersonateUIDHeader: Header: the UID of the user to act as.
ImpersonateUserExtraHeaderPrefix: Header prefix: extra facts of the user to act as; their key follows.
: HorizontalPodAutoscalerConditionType
ScalingActive: Whether metrics can be read and tell a number of replicas.
AbleToScale: Whether the scale can be read and written, and no back-off forbids it.
ScalingLimited: Whether the minimum or the maximum keeps the number from what the metrics say.
ScaledToZero: Whether the autoscaler has taken the number of replicas to 0.
: MetricSourceType
ObjectMetricSourceType: A metric of one object, such as requests of an Ingress.
PodsMetricSourceType: A metric of each pod, taken on average.
ResourceMetricSourceType: CPU or memory of the pods.
ContainerResourceMetricSourceType: CPU or memory of one container in the pods.
ExternalMetricSourceType: A metric from outside of the cluster, such as the length of a queue.
: HPAScalingPolicyType
PodsScalingPolicy: At most that many pods in a period.
PercentScalingPolicy: At most that part of the pods in a period.
: MetricTargetType
UtilizationMetricType: The target is a percentage of what pods request.
ValueMetricType: The target is a value of the metric.
AverageValueMetricType: The target is a value for each pod.
: ScalingPolicySelect
MaxChangePolicySelect: The policy that allows most. The default.
MinChangePolicySelect: The policy that allows least.
DisabledPolicySelect: No scaling in this direction.
: batch
JobTrackingFinalizer: Finalizer of a Job's pods, until the Job has counted them.
JobCompletionIndexAnnotation: Annotation and label of the pods of an Indexed Job: their index.
JobIndexFailureCountAnnotation: Annotation of a Job's pod: how often pods of its index have failed before.
JobIndexIgnoredFailureCountAnnotation: Annotation of a Job's pod: how many failures of its index do not count.
JobNameLabel: Label of a Job's pods: the Job's name.
ControllerUidLabel: Label of a Job's pods: the Job's UID.
JobControllerName: Value of managedBy: the Job is the built-in controller's.
CronJobScheduledTimestampAnnotation: Annotation of a Job that a CronJob made: the time it was due.
JobReasonPodFailurePolicy: Reason of condition Failed: a rule of podFailurePolicy said so.
JobReasonBackoffLimitExceeded: Reason of condition Failed: pods have failed more often than backoffLimit allows.
JobReasonDeadlineExceeded: Reason of condition Failed: the Job took longer than activeDeadlineSeconds.
JobReasonMaxFailedIndexesExceeded: Reason of condition Failed: more indexes have failed than maxFailedIndexes allows.
JobReasonFailedIndexes: Reason of condition Failed: the Job is through, and some indexes have failed.
JobReasonSuccessPolicy: Reason of success: a rule of successPolicy said so.
JobReasonCompletionsReached: Reason of success: as many pods have succeeded as the Job asks for.
: CompletionMode
NonIndexedCompletion: Any pods do, as long as enough of them succeed. The default.
IndexedCompletion: Each index from 0 needs a pod that succeeds.
: ConcurrencyPolicy
AllowConcurrent: Jobs may run beside each other. The default.
ForbidConcurrent: No Job is started while the one before runs.
ReplaceConcurrent: The Job that runs is ended for the new one.
: JobConditionType
JobSuspended: The Job is suspended and has no pods.
JobComplete: The Job has succeeded, and its pods have ended.
JobFailed: The Job has failed, and its pods have ended.
JobFailureTarget: The Job is about to fail: its pods are being ended.
JobSuccessCriteriaMet: The Job is about to succeed: its remaining pods are being ended.
: PodFailurePolicyAction
PodFailurePolicyActionFailJob: The whole Job fails.
PodFailurePolicyActionFailIndex: The pod's index fails and is not tried again.
PodFailurePolicyActionIgnore: The failure does not count, and the pod is replaced.
PodFailurePolicyActionCount: The failure counts against backoffLimit, as without a rule.
: PodFailurePolicyOnExitCodesOperator
PodFailurePolicyOnExitCodesOpIn: The rule applies if an exit code is one of the values.
PodFailurePolicyOnExitCodesOpNotIn: The rule applies if an exit code, other than 0, is none of the values.
: PodReplacementPolicy
TerminatingOrFailed: A pod is replaced as soon as it is being deleted.
Failed: A pod is replaced when it has ended.
: certificates
KubeAPIServerClientSignerName: Signer of clients' certificates that the API server accepts.
KubeAPIServerClientKubeletSignerName: Signer of kubelets' client certificates; usually approved by a controller.
KubeletServingSignerName: Signer of kubelets' server certificates.
LegacyUnknownSignerName: Signer of requests of old clients that name none.
PodCertificateRequestConditionTypeDenied: Condition: the signer has refused the certificate.
PodCertificateRequestConditionTypeFailed: Condition: the signer could not make the certificate.
PodCertificateRequestConditionTypeIssued: Condition: the certificate is in the status.
PodCertificateRequestConditionUnsupportedKeyType: Reason of a refusal: the signer does not take keys of this type.
PodCertificateRequestConditionInvalidUserConfig: Reason of a refusal: the pod's annotations for the signer are wrong.
: KeyUsage
UsageSigning: Signing of anything; the same as digital signature.
UsageDigitalSignature: Signing, other than of certificates: TLS needs it.
UsageContentCommitment: Signing that cannot be denied later.
UsageKeyEncipherment: Encrypting of keys: TLS with RSA key exchange needs it.
UsageKeyAgreement: Agreeing on keys, as Diffie-Hellman does.
UsageDataEncipherment: Encrypting of data without a key of its own.
UsageCertSign: Signing of certificates: only of a CA.
UsageCRLSign: Signing of lists of revoked certificates.
UsageEncipherOnly: Beside key agreement: to encrypt only.
UsageDecipherOnly: Beside key agreement: to decrypt only.
UsageAny: Anything.
UsageServerAuth: Being a TLS server.
UsageClientAuth: Being a TLS client.
UsageCodeSigning: Signing of programs.
UsageEmailProtection: Signing and encrypting of mail.
UsageSMIME: Signing and encrypting of mail by S/MIME.
UsageIPsecEndSystem: Being an end of IPsec.
UsageIPsecTunnel: Being a tunnel of IPsec.
UsageIPsecUser: Being a user of IPsec.
UsageTimestamping: Signing of times.
UsageOCSPSigning: Signing of answers whether certificates are revoked.
UsageMicrosoftSGC: Strong encryption with Microsoft's old browsers.
UsageNetscapeSGC: Strong encryption with Netscape's old browsers.
: RequestConditionType
CertificateApproved: Somebody has approved the request; the signer may sign.
CertificateDenied: Somebody has refused the request, for good.
CertificateFailed: The signer could not make the certificate, for good.
: ExecInteractiveMode
NeverExecInteractiveMode: The plugin does not need standard input.
IfAvailableExecInteractiveMode: The plugin uses standard input if it is a terminal that nobody else needs.
AlwaysExecInteractiveMode: The plugin fails without a terminal at standard input.
: CoordinatedLeaseStrategy
OldestEmulationVersion: The candidate leads that emulates the oldest version.
: discovery
LabelServiceName: Label of an EndpointSlice: the name of its Service.
LabelManagedBy: Label of an EndpointSlice: who looks after it; others leave it alone.
LabelSkipMirror: Label of Endpoints: "true" keeps them from being mirrored to EndpointSlices.
: AddressType
AddressTypeIPv4: Addresses of IPv4.
AddressTypeIPv6: Addresses of IPv6.
AddressTypeFQDN: DNS names.
: flowcontrol
APIGroupAll: Matches every API group.
ResourceAll: Matches every resource.
VerbAll: Matches every verb.
NonResourceAll: Matches every path that is no resource.
NameAll: Matches every name.
NamespaceEvery: Matches every namespace.
PriorityLevelConfigurationNameExempt: The priority level whose requests are never held up.
PriorityLevelConfigurationNameCatchAll: The priority level of what no other schema matches.
FlowSchemaNameExempt: The schema whose requests are never held up, such as those of administrators.
FlowSchemaNameCatchAll: The schema of what no other one matches.
FlowSchemaConditionDangling: Condition of a FlowSchema: whether its priority level is missing.
ResponseHeaderMatchedPriorityLevelConfigurationUID: Header of answers: the UID of the priority level that the request had.
ResponseHeaderMatchedFlowSchemaUID: Header of answers: the UID of the schema that the request matched.
AutoUpdateAnnotationKey: Annotation of a built-in object: "false" keeps the server from resetting its spec.
PriorityLevelConfigurationConditionConcurrencyShared: Condition of a PriorityLevelConfiguration: whether it has its part of the server's seats.
PriorityLevelPreserveZeroConcurrencySharesKey: Annotation: a share of 0 means 0, which old versions took for none.
: FlowDistinguisherMethodType
FlowDistinguisherMethodByUserType: Each user's requests are a flow.
FlowDistinguisherMethodByNamespaceType: Each namespace's requests are a flow.
: LimitResponseType
LimitResponseTypeQueue: Requests too many wait in queues.
LimitResponseTypeReject: Requests too many are refused at once, with 429.
: PriorityLevelEnablement
PriorityLevelEnablementExempt: Requests are never held up.
PriorityLevelEnablementLimited: Requests share the level's seats.
: SubjectKind
SubjectKindUser: A user, by name.
SubjectKindGroup: A group, by name.
SubjectKindServiceAccount: A service account, by namespace and name.
: networking
AnnotationIsDefaultIngressClass: Annotation of an IngressClass: "true" makes it that of Ingresses which name none.
AnnotationIngressClass: Annotation of an Ingress: its class. Use spec.ingressClassName.
IngressClassParametersReferenceScopeNamespace: Value of parameters.scope: the parameters are in the namespace that is named.
IngressClassParametersReferenceScopeCluster: Value of parameters.scope: the parameters are in no namespace. The default.
ServiceCIDRConditionReady: Condition of a ServiceCIDR: Services get addresses from it.
ServiceCIDRReasonTerminating: Reason of condition Ready: it is being deleted, but addresses of it are in use.
LabelIPAddressFamily: Label of an IPAddress: IPv4 or IPv6.
LabelManagedBy: Label of an IPAddress: who looks after it; others leave it alone.
: PathType
PathTypeExact: The path is this one, to the letter.
PathTypePrefix: The path begins with this one, element by element.
PathTypeImplementationSpecific: The Ingress controller decides.
: PolicyType
PolicyTypeIngress: The policy is about traffic to its pods.
PolicyTypeEgress: The policy is about traffic from its pods.
: policy
DisruptionBudgetCause: Cause in the answer 429 of an eviction: a disruption budget forbids it now.
DisruptionAllowedCondition: Condition of a budget: whether a pod may be evicted now.
SyncFailedReason: Reason of condition DisruptionAllowed: the budget could not be worked out; nothing is allowed.
SufficientPodsReason: Reason of condition DisruptionAllowed: there are more pods than have to be.
InsufficientPodsReason: Reason of condition DisruptionAllowed: there are no more pods than have to be.
: UnhealthyPodEvictionPolicyType
IfHealthyBudget: Running pods that are not ready are evicted if the application is not disrupted. The default.
AlwaysAllow: Running pods that are not ready can always be evicted.
: rbac
APIGroupAll: Matches every API group.
ResourceAll: Matches every resource.
VerbAll: Matches every verb.
NonResourceAll: Matches every path that is no resource.
GroupKind: Value of a subject's kind: a group.
ServiceAccountKind: Value of a subject's kind: a service account.
UserKind: Value of a subject's kind: a user.
AutoUpdateAnnotationKey: Annotation of a built-in role or binding: "false" keeps the server from resetting it.
: resource
Finalizer: Finalizer of a ResourceClaim that is allocated.
PodResourceClaimAnnotation: Annotation of a ResourceClaim made from a template: the claim's name in the pod.
ExtendedResourceClaimAnnotation: Annotation of a ResourceClaim that stands for a pod's extended resources.
ResourceDeviceClassPrefix: Prefix of an extended resource that stands for a device class, whose name follows.
SubresourceBinding: Synthetic subresource of resourceclaims for RBAC: to set allocation and reservation.
SubresourceDriver: Synthetic subresource of resourceclaims for RBAC: to set what drivers report.
VerbPrefixAssociatedNode: Prefix of synthetic verbs for RBAC: by a service account, on devices of its own node.
VerbPrefixArbitraryNode: Prefix of synthetic verbs for RBAC: on devices of any node.
ResourceSliceSelectorNodeName: Field selector of ResourceSlices: by the node.
ResourceSliceSelectorDriver: Field selector of ResourceSlices: by the driver.
DRAAdminNamespaceLabelKey: Label of a namespace: "true" allows claims with adminAccess there.
DeviceTaintConditionEvictionInProgress: Condition of a DeviceTaintRule: whether pods are being evicted because of it.
ResourcePoolStatusRequestConditionComplete: Condition of a ResourcePoolStatusRequest: the answer is in its status.
ResourcePoolStatusRequestConditionFailed: Condition of a ResourcePoolStatusRequest: it could not be answered.
: AllocationConfigSource
AllocationConfigSourceClass: The configuration comes from the device class.
AllocationConfigSourceClaim: The configuration comes from the claim.
: DeviceAllocationMode
DeviceAllocationModeExactCount: As many devices as count says. The default.
DeviceAllocationModeAll: All devices of a pool that match.
: DeviceTaintEffect
DeviceTaintEffectNone: No effect: for information, or to try a rule.
DeviceTaintEffectNoSchedule: No pod that does not tolerate it gets the device.
DeviceTaintEffectNoExecute: Also evicts pods that have the device and do not tolerate it.
: DeviceTolerationOperator
DeviceTolerationOpExists: Any value of the taint.
DeviceTolerationOpEqual: The value of the taint is this one. The default.
: FSGroupPolicy
ReadWriteOnceWithFSTypeFSGroupPolicy: fsGroup is applied to ReadWriteOnce volumes with a file system type. The default.
FileFSGroupPolicy: fsGroup is applied, whatever the type and the access mode.
NoneFSGroupPolicy: fsGroup is not applied.
: VolumeBindingMode
VolumeBindingImmediate: A claim gets its volume at once. The default.
VolumeBindingWaitForFirstConsumer: A claim gets its volume when a pod uses it, near the pod's node.
: VolumeLifecycleMode
VolumeLifecyclePersistent: Volumes that outlive pods, through claims. The default.
VolumeLifecycleEphemeral: Volumes inside of a pod's spec, which come and go with it.
: extensions
DefaultDeploymentUniqueLabelKey: Label of a Deployment's ReplicaSets and pods: the hash of the pod template.
DefaultDaemonSetUniqueLabelKey: Label of a DaemonSet's pods: the hash of the pod template.
DaemonSetTemplateGenerationKey: Label of a DaemonSet's pods: the generation of the template. Use controller-revision-hash.
: scheduling
PodGroupScheduled: Condition of a PodGroup: whether its pods have nodes.
DisruptionTarget: Condition of a PodGroup: it is about to end for a reason outside of it.
PodGroupReasonUnschedulable: Reason of condition PodGroupScheduled: no nodes fit at present.
PodGroupReasonSchedulerError: Reason of condition PodGroupScheduled: the scheduler itself failed.
PodGroupReasonPreemptionByScheduler: Reason of condition DisruptionTarget: the group made room for one of higher priority.
: DisruptionMode
DisruptionModePod: Pods of the group can be disrupted one by one.
DisruptionModePodGroup: All pods of the group are disrupted, or none.
: StorageVersionConditionType
AllEncodingVersionsEqual: Whether all API servers store the resource in the same version.
: MigrationConditionType
MigrationRunning: Objects are being rewritten.
MigrationSucceeded: All objects are in the current storage version.
MigrationFailed: The migration ended before all objects were rewritten.
: admissionregistration
ClusterScope: Objects that are in no namespace.
NamespacedScope: Objects that are in namespaces.
AllScopes: All objects.
OperationAll: Every operation.
Create: Objects are created.
Update: Objects are updated, by replacement or by patch.
Delete: Objects are deleted.
Connect: Somebody connects to a subresource, such as exec or proxy.
NeverReinvocationPolicy: It is called once. The default.
IfNeededReinvocationPolicy: It is called again if others changed the object after it.
: Operation
Create: An object is created.
Update: An object is updated, by replacement or by patch.
Delete: An object is deleted.
Connect: Somebody connects to a subresource, such as exec or proxy.
: PatchType
PatchTypeJSONPatch: A JSON Patch, as in RFC 6902.
PatchTypeApplyConfiguration: An object to merge in as server-side apply does.
: FailurePolicyType
Ignore: If it fails, the request goes on.
Fail: If it fails, so does the request. The default.
: MatchPolicyType
Exact: Rules match the version of the request alone.
Equivalent: Rules also match other versions and groups of the same resource. The default.
: OperationType
OperationAll: Every operation.
Create: Objects are created.
Update: Objects are updated, by replacement or by patch.
Delete: Objects are deleted.
Connect: Somebody connects to a subresource, such as exec or proxy.
: ParameterNotFoundActionType
AllowAction: Without a parameter the binding does nothing.
DenyAction: Without a parameter the failure policy decides.
: ReinvocationPolicyType
NeverReinvocationPolicy: It is called once. The default.
IfNeededReinvocationPolicy: It is called again if others changed the object after it.
: ScopeType
ClusterScope: Objects that are in no namespace.
NamespacedScope: Objects that are in namespaces.
AllScopes: All objects. The default.
: SideEffectClass
SideEffectClassUnknown: Nobody says; dry runs fail.
SideEffectClassNone: The webhook changes nothing elsewhere.
SideEffectClassSome: The webhook may change something elsewhere; dry runs fail.
SideEffectClassNoneOnDryRun: The webhook changes nothing elsewhere in a dry run.
: ValidationAction
Deny: The request is refused.
Warn: The client gets a warning.
Audit: The audit event gets an annotation.
: DiscoveryFreshness
DiscoveryFreshnessCurrent: The aggregator has heard from the server lately.
DiscoveryFreshnessStale: The aggregator could not reach the server: it may offer something else by now.
: ResourceScope
ScopeCluster: Objects are in no namespace.
ScopeNamespace: Objects are in namespaces.
ClusterScoped: Objects are in no namespace.
NamespaceScoped: Objects are in namespaces.
: apiextensions
CustomResourceCleanupFinalizer: Finalizer of a CRD: its objects are deleted before it.
KubeAPIApprovedAnnotation: Annotation of a CRD in a group of Kubernetes (*.k8s.io): the address of its API review.
: ConversionStrategyType
NoneConverter: Versions differ in apiVersion alone.
WebhookConverter: A webhook converts objects between versions.
: CustomResourceDefinitionConditionType
Established: Whether objects can be created and read.
NamesAccepted: Whether the names collide with none of the group.
NonStructuralSchema: Whether the schema is not structural; the message says where.
Terminating: The CRD is being deleted, with its objects.
KubernetesAPIApprovalPolicyConformant: Whether a CRD in a group of Kubernetes says who reviewed it.
StorageMigrating: Objects are being rewritten in the current storage version.
: FieldValueErrorReason
FieldValueRequired: The field is missing.
FieldValueDuplicate: The value is there already, and there may be only one.
FieldValueInvalid: The value is malformed, or not allowed here. The default.
FieldValueForbidden: The value may not be set in this state.
: APIServiceConditionType
Available: Whether requests for the group and version can be passed on.
`
