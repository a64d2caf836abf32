#ifndef BENCHMARKS_ADMISSION_POD_REVIEW_H_
#define BENCHMARKS_ADMISSION_POD_REVIEW_H_

namespace kube::benchmarks {

// The review of a pod that a ReplicaSet's controller creates, as an API server sends it.
inline constexpr char kPodReview[] = R"json({
"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{
"uid":"0a1f3c52-8a7e-4f0e-9f43-6d2c1f6c5a10",
"kind":{"group":"","version":"v1","kind":"Pod"},
"resource":{"group":"","version":"v1","resource":"pods"},
"requestKind":{"group":"","version":"v1","kind":"Pod"},
"requestResource":{"group":"","version":"v1","resource":"pods"},
"namespace":"shop","operation":"CREATE",
"userInfo":{"username":"system:serviceaccount:kube-system:replicaset-controller",
"uid":"5c9b7c5e-2f52-4dd4-a4f9-6d1b6a2b3c77",
"groups":["system:serviceaccounts","system:serviceaccounts:kube-system","system:authenticated"]},
"object":{"kind":"Pod","apiVersion":"v1","metadata":{
"generateName":"cart-6f7d8c9b5d-","namespace":"shop","creationTimestamp":null,
"labels":{"app.kubernetes.io/name":"cart","app.kubernetes.io/version":"1.24.3",
"pod-template-hash":"6f7d8c9b5d","team":"checkout"},
"annotations":{"prometheus.io/scrape":"true","prometheus.io/port":"9102"},
"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"cart-6f7d8c9b5d",
"uid":"d1a7f5f2-0d6a-4b8f-8b0f-2e3f4a5b6c7d","controller":true,"blockOwnerDeletion":true}]},
"spec":{"volumes":[{"name":"config","configMap":{"name":"cart","defaultMode":420}},
{"name":"scratch","emptyDir":{}}],
"containers":[{"name":"cart","image":"registry.example.com/shop/cart:1.24.3",
"args":["--listen=:8080","--config=/etc/cart/config.yaml"],
"ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}],
"env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}},
{"name":"DATABASE","value":"postgres.shop.svc:5432"},
{"name":"PASSWORD","valueFrom":{"secretKeyRef":{"name":"cart","key":"password"}}}],
"resources":{"limits":{"memory":"512Mi"},"requests":{"cpu":"250m","memory":"256Mi"}},
"volumeMounts":[{"name":"config","readOnly":true,"mountPath":"/etc/cart"},
{"name":"scratch","mountPath":"/tmp"}],
"livenessProbe":{"httpGet":{"path":"/healthz","port":"http","scheme":"HTTP"},
"initialDelaySeconds":10,"timeoutSeconds":2,"periodSeconds":10,
"successThreshold":1,"failureThreshold":3},
"readinessProbe":{"httpGet":{"path":"/readyz","port":"http","scheme":"HTTP"},
"timeoutSeconds":2,"periodSeconds":5,"successThreshold":1,"failureThreshold":3},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",
"securityContext":{"runAsNonRoot":true,"readOnlyRootFilesystem":true,
"allowPrivilegeEscalation":false}},
{"name":"metrics","image":"registry.example.com/base/exporter:0.9.1",
"ports":[{"name":"metrics","containerPort":9102,"protocol":"TCP"}],
"resources":{"limits":{"memory":"64Mi"},"requests":{"cpu":"10m","memory":"32Mi"}},
"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],
"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",
"serviceAccountName":"cart","serviceAccount":"cart","securityContext":{"fsGroup":2000},
"affinity":{"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100,
"podAffinityTerm":{"labelSelector":{"matchLabels":{"app.kubernetes.io/name":"cart"}},
"topologyKey":"kubernetes.io/hostname"}}]}},
"schedulerName":"default-scheduler",
"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",
"tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",
"effect":"NoExecute","tolerationSeconds":300}],
"priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},
"status":{}},
"oldObject":null,"dryRun":false,
"options":{"kind":"CreateOptions","apiVersion":"meta.k8s.io/v1"}}})json";

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_ADMISSION_POD_REVIEW_H_
