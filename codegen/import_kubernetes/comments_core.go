package main

// What the values of core/v1's string types mean, in our words: see comments.go.
const coreComments = `
: AppArmorProfileType
AppArmorProfileTypeUnconfined: No AppArmor profile.
AppArmorProfileTypeRuntimeDefault: The container runtime's own AppArmor profile.
AppArmorProfileTypeLocalhost: The profile that localhostProfile names, which is loaded on the node.
: AzureDataDiskCachingMode
AzureDataDiskCachingNone: The host caches nothing of the disk.
AzureDataDiskCachingReadOnly: The host caches reads.
AzureDataDiskCachingReadWrite: The host caches reads and writes.
: AzureDataDiskKind
AzureSharedBlobDisk: A blob in a storage account that disks share.
AzureDedicatedBlobDisk: A blob in a storage account of its own.
AzureManagedDisk: A disk that Azure manages.
: ClaimResourceStatus
PersistentVolumeClaimControllerResizeInProgress: The volume is being made larger at its provider.
PersistentVolumeClaimControllerResizeInfeasible: The provider can never make the volume that large.
PersistentVolumeClaimNodeResizePending: The volume is larger; its file system waits for a node to do the rest.
PersistentVolumeClaimNodeResizeInProgress: A kubelet is making the file system larger.
PersistentVolumeClaimNodeResizeInfeasible: The kubelet can never make the file system that large.
: ComponentConditionType
ComponentHealthy: Whether the component answers that it is well.
: ConditionStatus
ConditionTrue: It is so.
ConditionFalse: It is not so.
ConditionUnknown: Nobody knows whether it is so.
: ContainerRestartPolicy
ContainerRestartPolicyAlways: The container is restarted however it ended; an init container runs beside the others.
ContainerRestartPolicyNever: The container is not restarted.
ContainerRestartPolicyOnFailure: The container is restarted if its exit code is not 0.
: ContainerRestartRuleAction
ContainerRestartRuleActionRestart: The container is restarted, whatever its restart policy says.
ContainerRestartRuleActionRestartAllContainers: All containers of the pod are restarted, init containers first.
: ContainerRestartRuleOnExitCodesOperator
ContainerRestartRuleOnExitCodesOpIn: The rule applies if the exit code is one of the values.
ContainerRestartRuleOnExitCodesOpNotIn: The rule applies if the exit code is none of the values.
: DNSPolicy
DNSClusterFirstWithHostNet: The cluster's DNS, also for a pod in the host's network.
DNSClusterFirst: The cluster's DNS; for a pod in the host's network, the node's. The default.
DNSDefault: The node's DNS. Despite the name not what a pod gets by default.
DNSNone: Only what dnsConfig says.
: FinalizerName
FinalizerKubernetes: In a namespace's spec.finalizers: its objects are still to be deleted.
: HostPathType
HostPathUnset: The path is mounted unchecked.
HostPathDirectoryOrCreate: A directory; made, with mode 0755, if nothing is there.
HostPathDirectory: A directory, which has to be there.
HostPathFileOrCreate: A file; made empty, with mode 0644, if nothing is there.
HostPathFile: A file, which has to be there.
HostPathSocket: A Unix socket, which has to be there.
HostPathCharDev: A character device, which has to be there.
HostPathBlockDev: A block device, which has to be there.
: IPFamily
IPv4Protocol: Addresses of IPv4.
IPv6Protocol: Addresses of IPv6.
IPFamilyUnknown: Neither is known to be used.
: IPFamilyPolicy
IPFamilyPolicySingleStack: One address, of one family. The default.
IPFamilyPolicyPreferDualStack: An address of each family if the cluster has both, else one.
IPFamilyPolicyRequireDualStack: An address of each family, or the Service is refused.
: LimitType
LimitTypePod: The limits are for the sum over a pod's containers.
LimitTypeContainer: The limits are for each container.
LimitTypePersistentVolumeClaim: The limits are for each claim.
: LoadBalancerIPMode
LoadBalancerIPModeVIP: Packets reach the node with the load balancer's address as destination.
LoadBalancerIPModeProxy: Packets reach the node with the node's or the pod's address as destination.
: MountPropagationMode
MountPropagationNone: Mounts made later are seen neither by the container nor by the host. The default.
MountPropagationHostToContainer: The container sees what the host mounts below the volume later.
MountPropagationBidirectional: Mounts are seen both ways; for privileged containers alone.
: NamespaceConditionType
NamespaceDeletionDiscoveryFailure: The namespace stays because some group of the API could not be discovered.
NamespaceDeletionContentFailure: The namespace stays because some of its objects could not be deleted.
NamespaceDeletionGVParsingFailure: The namespace stays because some group's name could not be read.
NamespaceContentRemaining: The namespace stays because it still has objects.
NamespaceFinalizersRemaining: The namespace stays because objects in it have finalizers.
: NamespacePhase
NamespaceActive: The namespace is in use.
NamespaceTerminating: The namespace is being deleted and takes no new objects.
: NodeAddressType
NodeHostName: The node's host name.
NodeInternalIP: An IP address that the cluster reaches the node at.
NodeExternalIP: An IP address that the world outside reaches the node at.
NodeInternalDNS: A DNS name for the internal address.
NodeExternalDNS: A DNS name for the external address.
: NodeConditionType
NodeReady: Whether the kubelet is well and takes pods; Unknown if it is silent.
NodeMemoryPressure: Whether the node is short of memory.
NodeDiskPressure: Whether the node is short of disk space.
NodePIDPressure: Whether the node is short of process IDs.
NodeNetworkUnavailable: Whether the node's network is not set up.
: NodeInclusionPolicy
NodeInclusionPolicyIgnore: All nodes count, also those that the pod cannot be on.
NodeInclusionPolicyHonor: Only nodes count that the pod can be on.
: NodePhase
NodePending: The node is known but not set up; no longer used.
NodeRunning: The node is set up; no longer used.
NodeTerminated: The node is gone; no longer used.
: NodeSelectorOperator
NodeSelectorOpIn: The label has one of the values.
NodeSelectorOpNotIn: The label has none of the values, or is missing.
NodeSelectorOpExists: The label is there.
NodeSelectorOpDoesNotExist: The label is missing.
NodeSelectorOpGt: The label is an integer greater than the value.
NodeSelectorOpLt: The label is an integer less than the value.
: OSName
Linux: Linux, in spec.os.name of a pod.
Windows: Windows, in spec.os.name of a pod.
: PersistentVolumeAccessMode
ReadWriteOnce: One node at a time mounts it to read and write.
ReadOnlyMany: Many nodes mount it to read.
ReadWriteMany: Many nodes mount it to read and write.
ReadWriteOncePod: A single pod in the whole cluster mounts it to read and write.
: PersistentVolumeClaimConditionType
PersistentVolumeClaimResizing: The volume is being made larger.
PersistentVolumeClaimFileSystemResizePending: The volume is larger; its file system becomes so when a pod mounts it.
PersistentVolumeClaimControllerResizeError: The provider failed to make the volume larger.
PersistentVolumeClaimNodeResizeError: The node failed to make the file system larger.
PersistentVolumeClaimVolumeModifyVolumeError: The volume could not be changed to its new attributes class.
PersistentVolumeClaimVolumeModifyingVolume: The volume is being changed to its new attributes class.
PersistentVolumeClaimUnused: No pod uses the claim.
: PersistentVolumeClaimModifyVolumeStatus
PersistentVolumeClaimModifyVolumePending: The change waits, for instance for its attributes class to exist.
PersistentVolumeClaimModifyVolumeInProgress: The volume is being changed.
PersistentVolumeClaimModifyVolumeInfeasible: The driver refuses the change; choose another class.
: PersistentVolumeClaimPhase
ClaimPending: The claim has no volume yet.
ClaimBound: The claim has its volume.
ClaimLost: The claim's volume is gone, and with it the data.
: PersistentVolumeMode
PersistentVolumeBlock: A raw block device.
PersistentVolumeFilesystem: A file system. The default.
: PersistentVolumePhase
VolumePending: The volume is not available yet.
VolumeAvailable: The volume waits for a claim.
VolumeBound: The volume belongs to a claim.
VolumeReleased: The claim is gone, the volume is not reclaimed yet.
VolumeFailed: The volume could not be reclaimed.
: PersistentVolumeReclaimPolicy
PersistentVolumeReclaimRecycle: The volume is emptied and offered again; for few plugins, and deprecated.
PersistentVolumeReclaimDelete: The volume is deleted with its claim.
PersistentVolumeReclaimRetain: The volume and its data stay until somebody looks after them.
: PodConditionType
ContainersReady: Whether all containers are ready; readiness gates do not count.
PodInitialized: Whether all init containers have succeeded.
PodReady: Whether the pod can serve requests: containers and readiness gates are ready.
PodScheduled: Whether the pod has a node.
DisruptionTarget: The pod is about to end for a reason outside of it: eviction, preemption, a lost node.
PodReadyToStartContainers: Whether sandbox, network and volumes are there, so that containers can start.
PodResizePending: A change of resources is wanted that the node has not granted.
PodResizeInProgress: A change of resources is granted and being carried out.
AllContainersRestarting: All containers of the pod are being restarted, as a restart rule asked for.
: PodFSGroupChangePolicy
FSGroupChangeOnRootMismatch: Owners and modes are set only if those of the volume's root are wrong: quicker.
FSGroupChangeAlways: Owners and modes of all files are set at each mount. The default.
: PodPhase
PodPending: Accepted, but not all containers have started: it has no node, or images are being pulled.
PodRunning: It has a node, and at least one container runs, starts or is restarted.
PodSucceeded: All containers have ended with exit code 0 and stay so.
PodFailed: All containers have ended, at least one of them in failure.
PodUnknown: Nobody can say, as the node is silent; no longer set.
: PodQOSClass
PodQOSGuaranteed: Each container's limits are its requests, for CPU and memory; evicted last.
PodQOSBurstable: Some container has a request or limit; evicted before the guaranteed.
PodQOSBestEffort: No container has a request or limit; evicted first.
: PodResizeStatus
PodResizeStatusInProgress: The resize is granted and being carried out; now a condition.
PodResizeStatusDeferred: The node has no room now, but may have later; now a condition.
PodResizeStatusInfeasible: The node can never give that much; now a condition.
: PodSELinuxChangePolicy
SELinuxChangePolicyRecursive: The runtime relabels each file of a volume, one by one.
SELinuxChangePolicyMountOption: The volume is mounted with the label, which takes no time but excludes other labels.
: PreemptionPolicy
PreemptLowerPriority: The pod may push out others of lower priority. The default.
PreemptNever: The pod waits for room, at the front of the queue.
: ProcMountType
DefaultProcMount: /proc with the parts hidden or read-only that the runtime protects.
UnmaskedProcMount: The whole /proc, for containers that run containers.
: Protocol
ProtocolTCP: TCP. The default.
ProtocolUDP: UDP.
ProtocolSCTP: SCTP.
: PullPolicy
PullAlways: The registry is asked at each start; layers that are there are not pulled again.
PullNever: The image has to be on the node.
PullIfNotPresent: The image is pulled if the node has none of that name.
: RecursiveReadOnlyMode
RecursiveReadOnlyDisabled: Mounts below a read-only one may be writable.
RecursiveReadOnlyIfPossible: Mounts below are read-only, too, if the node can do it.
RecursiveReadOnlyEnabled: Mounts below are read-only, too, or the pod does not start.
: ReplicationControllerConditionType
ReplicationControllerReplicaFailure: Pods cannot be created or deleted; the message says why.
: ResourceHealthStatus
ResourceHealthStatusHealthy: The device works.
ResourceHealthStatusUnhealthy: The device does not work; it may recover.
ResourceHealthStatusUnknown: Nobody reports about the device.
: ResourceName
ResourceCPU: CPUs; 500m is half of one.
ResourceMemory: Memory, in bytes.
ResourceStorage: Size of a volume, in bytes.
ResourceEphemeralStorage: Space on the node's disk that goes with the pod, in bytes.
ResourcePods: Number of pods.
ResourceServices: Number of Services.
ResourceReplicationControllers: Number of ReplicationControllers.
ResourceQuotas: Number of ResourceQuotas.
ResourceSecrets: Number of Secrets.
ResourceConfigMaps: Number of ConfigMaps.
ResourcePersistentVolumeClaims: Number of PersistentVolumeClaims.
ResourceServicesNodePorts: Number of node ports of all Services.
ResourceServicesLoadBalancers: Number of Services of type LoadBalancer.
ResourceRequestsCPU: Sum of the CPU that pods request.
ResourceRequestsMemory: Sum of the memory that pods request, in bytes.
ResourceRequestsStorage: Sum of the sizes that claims request, in bytes.
ResourceRequestsEphemeralStorage: Sum of the ephemeral storage that pods request, in bytes.
ResourceLimitsCPU: Sum of the CPU limits of pods.
ResourceLimitsMemory: Sum of the memory limits of pods, in bytes.
ResourceLimitsEphemeralStorage: Sum of the limits of ephemeral storage of pods, in bytes.
: ResourceQuotaScope
ResourceQuotaScopeTerminating: The quota counts pods with activeDeadlineSeconds.
ResourceQuotaScopeNotTerminating: The quota counts pods without activeDeadlineSeconds.
ResourceQuotaScopeBestEffort: The quota counts pods without requests and limits.
ResourceQuotaScopeNotBestEffort: The quota counts pods with requests or limits.
ResourceQuotaScopePriorityClass: The quota counts pods by their priority class.
ResourceQuotaScopeCrossNamespacePodAffinity: The quota counts pods with affinity terms across namespaces.
ResourceQuotaScopeVolumeAttributesClass: The quota counts claims by their volume attributes class.
: ResourceResizeRestartPolicy
NotRequired: The resource changes while the container runs. The default.
RestartContainer: The container is restarted to change the resource.
: RestartPolicy
RestartPolicyAlways: Containers are restarted however they ended. The default.
RestartPolicyOnFailure: Containers are restarted if their exit code is not 0.
RestartPolicyNever: Containers are not restarted.
: ScopeSelectorOperator
ScopeSelectorOpIn: The scope has one of the values.
ScopeSelectorOpNotIn: The scope has none of the values.
ScopeSelectorOpExists: The scope applies, whatever its value.
ScopeSelectorOpDoesNotExist: The scope does not apply.
: SeccompProfileType
SeccompProfileTypeUnconfined: No seccomp profile.
SeccompProfileTypeRuntimeDefault: The container runtime's own seccomp profile.
SeccompProfileTypeLocalhost: The profile that localhostProfile names, a file on the node.
: SecretType
SecretTypeOpaque: Any keys. The default.
SecretTypeServiceAccountToken: A token of a service account, which a controller fills in.
SecretTypeDockercfg: Credentials of image registries, in Docker's old form; key .dockercfg.
SecretTypeDockerConfigJson: Credentials of image registries; key .dockerconfigjson.
SecretTypeBasicAuth: A user's name and a password; keys username and password.
SecretTypeSSHAuth: An SSH key; key ssh-privatekey.
SecretTypeTLS: A certificate with its key; keys tls.crt and tls.key.
SecretTypeBootstrapToken: A token by which a new node joins the cluster.
: ServiceAffinity
ServiceAffinityClientIP: A client's address stays with one pod, for some hours.
ServiceAffinityNone: Each connection goes anywhere. The default.
: ServiceExternalTrafficPolicy
ServiceExternalTrafficPolicyCluster: Traffic from outside goes to any pod; its source address may be lost. The default.
ServiceExternalTrafficPolicyLocal: Traffic from outside stays on the node it arrives at, with its source address.
ServiceExternalTrafficPolicyTypeLocal: The same as kServiceExternalTrafficPolicyLocal.
ServiceExternalTrafficPolicyTypeCluster: The same as kServiceExternalTrafficPolicyCluster.
: ServiceInternalTrafficPolicy
ServiceInternalTrafficPolicyCluster: Traffic from inside the cluster goes to any pod. The default.
ServiceInternalTrafficPolicyLocal: Traffic from inside the cluster goes to pods on the client's node, or nowhere.
: ServiceType
ServiceTypeClusterIP: An address inside the cluster. The default.
ServiceTypeNodePort: Also a port of every node.
ServiceTypeLoadBalancer: Also a load balancer outside of the cluster.
ServiceTypeExternalName: A DNS name that stands for another one; no address, no pods.
: StorageMedium
StorageMediumDefault: Whatever the node's disk is. The default.
StorageMediumMemory: Memory (tmpfs), which counts against the container's limit.
StorageMediumHugePages: Huge pages, of the only size that the pod requests.
StorageMediumHugePagesPrefix: Stands before the size of huge pages: HugePages-2Mi.
: SupplementalGroupsPolicy
SupplementalGroupsPolicyMerge: Groups of the user in the image's /etc/group count, too. The default.
SupplementalGroupsPolicyStrict: Only the groups that the pod names.
: TaintEffect
TaintEffectNoSchedule: Pods that do not tolerate it are not put there; those that run stay.
TaintEffectPreferNoSchedule: Pods that do not tolerate it are put elsewhere if possible.
TaintEffectNoExecute: Pods that do not tolerate it are not put there, and those that run are evicted.
: TerminationMessagePolicy
TerminationMessageReadFile: The message is the content of the file terminationMessagePath. The default.
TerminationMessageFallbackToLogsOnError: If that file is empty and the container failed, it is the end of the log.
: TolerationOperator
TolerationOpExists: Any value of the taint; without a key, any taint.
TolerationOpEqual: The value of the taint is this one. The default.
TolerationOpLt: The value of the taint is an integer less than this one.
TolerationOpGt: The value of the taint is an integer greater than this one.
: URIScheme
URISchemeHTTP: Plain HTTP. The default.
URISchemeHTTPS: HTTPS; the certificate is not checked.
: UnsatisfiableConstraintAction
DoNotSchedule: The pod waits. The default.
ScheduleAnyway: The pod is put where it spreads best, even so.
`
