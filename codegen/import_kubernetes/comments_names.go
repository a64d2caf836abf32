package main

// What core/v1's labels, annotations, taints, reasons, keys and other plain strings mean, in our words: see comments.go.
const coreNameComments = `
: core
ImagePolicyFailedOpenKey: Annotation of a pod: "true" if its images were admitted because the image webhook failed.
MirrorPodAnnotationKey: Annotation of a mirror pod, the API's view of a static pod that a kubelet runs from a file.
TolerationsAnnotationKey: Annotation with tolerations as JSON, from before spec.tolerations; no longer read.
TaintsAnnotationKey: Annotation with taints as JSON, from before spec.taints; no longer read.
SeccompPodAnnotationKey: Annotation with a pod's seccomp profile; no longer read. Use securityContext.seccompProfile.
SeccompProfileRuntimeDefault: Value of the old seccomp annotations: the container runtime's own profile.
SeccompProfileNameUnconfined: Value of the old seccomp annotations: no profile.
SeccompLocalhostProfileNamePrefix: In the old seccomp annotations, stands before the name of a profile on the node.
DeprecatedAppArmorBetaContainerAnnotationKeyPrefix: Annotation key, before a container's name: its AppArmor profile. Use appArmorProfile.
DeprecatedAppArmorBetaProfileRuntimeDefault: Value of the old AppArmor annotations: the container runtime's own profile.
DeprecatedAppArmorBetaProfileNamePrefix: In the old AppArmor annotations, stands before the name of a profile loaded on the node.
DeprecatedAppArmorBetaProfileNameUnconfined: Value of the old AppArmor annotations: no profile.
DeprecatedSeccompProfileDockerDefault: Value of the old seccomp annotations: Docker's own profile. Use runtime/default.
SeccompContainerAnnotationKeyPrefix: Annotation key, before a container's name: its seccomp profile; no longer read.
ObjectTTLAnnotationKey: Annotation of a node: for how many seconds its kubelet may cache Secrets and ConfigMaps.
NonConvertibleAnnotationPrefix: Annotations with this prefix hold fields that another version of the API cannot express.
PreferAvoidPodsAnnotationKey: Annotation of a node: JSON with the controllers whose pods would rather be elsewhere.
LastAppliedConfigAnnotation: Annotation that "kubectl apply" writes: the manifest, as JSON, that was applied last.
AnnotationLoadBalancerSourceRangesKey: Annotation of a Service: ranges of client addresses. Use spec.loadBalancerSourceRanges.
EndpointsLastChangeTriggerTime: Annotation of endpoints: when the Pod or Service changed that they follow from.
EndpointsOverCapacity: Annotation of Endpoints that list 1000 addresses of more: EndpointSlices have all.
MigratedPluginsAnnotationKey: Annotation of a CSINode: the volume plugins that CSI drivers stand in for, comma-separated.
PodDeletionCost: Annotation of a pod: a number; when a ReplicaSet shrinks, pods with lower numbers go first.
DeprecatedAnnotationTopologyAwareHints: Annotation of a Service: "auto" keeps traffic in its zone. Use spec.trafficDistribution.
AnnotationTopologyMode: Annotation of a Service: "Auto" keeps traffic in its zone where there are enough endpoints.
NamespaceDefault: Namespace of objects that name none.
NamespaceAll: In place of a namespace's name: all of them.
NamespaceNodeLease: Namespace of the Leases by which kubelets say that their node is alive.
BetaStorageClassAnnotation: Annotation of a volume or claim: the name of its storage class. Use storageClassName.
MountOptionAnnotation: Annotation of a PersistentVolume: mount options, comma-separated. Use spec.mountOptions.
ResourceDefaultNamespacePrefix: Prefix of the names of resources that Kubernetes itself defines.
ResourceHugePagesPrefix: Prefix of resources that are huge pages; the size of a page follows: hugepages-2Mi.
ResourceAttachableVolumesPrefix: Prefix of resources that count how many volumes a node can attach, by driver.
ResourceRequestsHugePagesPrefix: Prefix of quotas for huge pages: requests.hugepages-2Mi.
DefaultResourceRequestsPrefix: Prefix of quotas for what pods request of a resource.
ResourceClaimsPerClass: Suffix of quotas for the devices of a class: gpu.deviceclass.resource.k8s.io/devices.
ResourceImplicitExtendedClaimsPerClass: Prefix of quotas for the devices of a class that pods get as extended resources.
TerminationMessagePathDefault: File in which a container may say why it ended, if the pod names no other.
PodReasonUnschedulable: Reason of condition PodScheduled: no node fits at present; the scheduler tries again.
PodReasonSchedulingGated: Reason of condition PodScheduled: the pod has scheduling gates, so nobody looks for a node.
PodReasonSchedulerError: Reason of condition PodScheduled: the scheduler itself failed, for instance at binding.
PodReasonTerminationByKubelet: Reason of condition DisruptionTarget: the kubelet ended the pod, under pressure or at shutdown.
PodReasonPreemptionByScheduler: Reason of condition DisruptionTarget: the pod made room for one of higher priority.
PodReasonDeferred: Reason of condition PodResizePending: the node has no room now, but may have later.
PodReasonInfeasible: Reason of condition PodResizePending: the node can never give that much.
PodReasonError: Reason of condition PodResizeInProgress: the resize failed; the message says how.
ServiceTrafficDistributionPreferSameZone: Value of trafficDistribution: endpoints in the client's zone, where there are any.
ServiceTrafficDistributionPreferSameNode: Value of trafficDistribution: an endpoint on the client's node, else in its zone.
ServiceTrafficDistributionPreferClose: Value of trafficDistribution: the older name of PreferSameZone.
LoadBalancerPortsError: Condition of a Service: its load balancer could not open some of the ports.
LoadBalancerPortsErrorReason: Reason of condition LoadBalancerPortsError: it cannot have ports of several protocols.
MixedProtocolNotSupported: Error of a load balancer's port: it cannot have ports of several protocols.
ClusterIPNone: Value of clusterIP: a headless Service; DNS gives the addresses of its pods.
NamespaceTerminatingCause: Cause in an error: the namespace is being deleted and takes no new objects.
LogStreamStdout: Value of PodLogOptions.stream: standard output alone.
LogStreamStderr: Value of PodLogOptions.stream: standard error alone.
LogStreamAll: Value of PodLogOptions.stream: standard output and standard error, mixed.
EventTypeNormal: Value of Event.type: for information.
EventTypeWarning: Value of Event.type: something may be wrong.
ServiceAccountNameKey: Annotation of a Secret that holds a token: the name of the service account.
ServiceAccountUIDKey: Annotation of a Secret that holds a token: the UID of the service account.
ServiceAccountTokenKey: Key in a Secret of a service account: the token.
ServiceAccountKubeconfigKey: Key in a Secret of a service account: a kubeconfig file.
ServiceAccountRootCAKey: Key in a Secret of a service account: the certificates of the API server's CA.
ServiceAccountNamespaceKey: Key in a Secret of a service account: the namespace that its clients work in by default.
DockerConfigKey: Key in a Secret of type kubernetes.io/dockercfg: the file, in Docker's old form.
DockerConfigJsonKey: Key in a Secret of type kubernetes.io/dockerconfigjson: the file config.json of Docker.
BasicAuthUsernameKey: Key in a Secret of type kubernetes.io/basic-auth: the user's name.
BasicAuthPasswordKey: Key in a Secret of type kubernetes.io/basic-auth: the password, or a token.
SSHAuthPrivateKey: Key in a Secret of type kubernetes.io/ssh-auth: the private key.
TLSCertKey: Key in a Secret of type kubernetes.io/tls: the certificate, and those that vouch for it.
TLSPrivateKeyKey: Key in a Secret of type kubernetes.io/tls: the private key.
DefaultSchedulerName: Value of schedulerName if a pod names none.
ExecStdinParam: Query parameter of exec and attach: whether the client sends standard input.
ExecStdoutParam: Query parameter of exec and attach: whether the client wants standard output.
ExecStderrParam: Query parameter of exec and attach: whether the client wants standard error.
ExecTTYParam: Query parameter of exec and attach: whether there is a terminal.
ExecCommandParam: Query parameter of exec: the command; once for each of its words.
StreamType: Header that says what a SPDY stream of exec, attach or port-forward carries.
StreamTypeStdin: A stream's type: standard input.
StreamTypeStdout: A stream's type: standard output.
StreamTypeStderr: A stream's type: standard error.
StreamTypeData: A stream's type: the bytes of a forwarded port.
StreamTypeError: A stream's type: how it ended, or what went wrong.
StreamTypeResize: A stream's type: new sizes of the terminal.
PortHeader: Header of a port-forward stream: the port.
PortForwardRequestIDHeader: Header that makes the data and the error stream of one forwarded connection a pair.
LabelHostname: Label of a node: its host name; the usual topology key for "one on each node".
AnnotationPeerAdvertiseAddress: Annotation of an API server's Lease: the address at which its peers reach it.
LabelTopologyZone: Label of a node or volume: its zone.
LabelTopologyRegion: Label of a node or volume: its region.
LabelFailureDomainBetaZone: Old label of a zone. Use topology.kubernetes.io/zone.
LabelFailureDomainBetaRegion: Old label of a region. Use topology.kubernetes.io/region.
LabelZoneFailureDomain: Old label of a zone, by another name. Use kLabelTopologyZone.
LabelZoneRegion: Old label of a region, by another name. Use kLabelTopologyRegion.
LabelZoneFailureDomainStable: The same as kLabelTopologyZone.
LabelZoneRegionStable: The same as kLabelTopologyRegion.
LabelInstanceType: Old label of a machine's type. Use node.kubernetes.io/instance-type.
LabelInstanceTypeStable: Label of a node: the type of its machine, as the cloud provider names it.
LabelOSStable: Label of a node: its operating system, linux or windows.
LabelArchStable: Label of a node: its processor architecture as Go names it, such as amd64 or arm64.
LabelWindowsBuild: Label of a Windows node: major version, minor version and build number.
LabelNamespaceSuffixKubelet: A kubelet may set any label on its node whose prefix is this, or ends with a dot and this.
LabelNamespaceSuffixNode: A kubelet may set any label on its node whose prefix is this, or ends with a dot and this.
LabelNamespaceNodeRestriction: Prefix of labels that no kubelet may set on its node: safe to isolate nodes by.
IsHeadlessService: Label of endpoints that belong to a headless Service; proxies leave them out.
LabelNodeExcludeBalancers: Label of a node, with any value: external load balancers do not send to it.
LabelMetadataName: Label of every namespace: its name, so that selectors can choose it.
TaintNodeNotReady: Taint of a node whose condition Ready is False.
TaintNodeUnreachable: Taint of a node whose condition Ready is Unknown: its kubelet is silent.
TaintNodeUnschedulable: Taint of a node with spec.unschedulable, as "kubectl cordon" sets it.
TaintNodeMemoryPressure: Taint of a node that is short of memory.
TaintNodeDiskPressure: Taint of a node that is short of disk space.
TaintNodeNetworkUnavailable: Taint of a node whose network is not set up.
TaintNodePIDPressure: Taint of a node that is short of process IDs.
TaintNodeOutOfService: Taint that an administrator sets on a node that is shut down: pods are removed, volumes detached.
`
