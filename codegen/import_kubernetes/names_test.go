package main

import "testing"

func TestSnakeCase(t *testing.T) {
	for json, want := range map[string]string{
		"replicas":                             "replicas",
		"apiVersion":                           "api_version",
		"hostIPC":                              "host_ipc",
		"podIP":                                "pod_ip",
		"podIPs":                               "pod_ips",
		"externalIPs":                          "external_ips",
		"nodeID":                               "node_id",
		"volumeID":                             "volume_id",
		"clusterIPs":                           "cluster_ips",
		"podCIDRs":                             "pod_cidrs",
		"targetWWNs":                           "target_wwns",
		"ipFamilies":                           "ip_families",
		"nonResourceURLs":                      "non_resource_urls",
		"serverAddressByClientCIDRs":           "server_address_by_client_cidrs",
		"targetCPUUtilizationPercentage":       "target_cpu_utilization_percentage",
		"insecureSkipTLSVerify":                "insecure_skip_tls_verify",
		"insecure-skip-tls-verify":             "insecure_skip_tls_verify",
		"setHostnameAsFQDN":                    "set_hostname_as_fqdn",
		"seLinuxOptions":                       "se_linux_options",
		"stubPKCS10Request":                    "stub_pkcs10_request",
		"fieldsV1":                             "fields_v1",
		"openAPIV3Schema":                      "open_api_v3_schema",
		"Port":                                 "port",
		"$ref":                                 "ref",
		"$schema":                              "schema",
		"x-kubernetes-preserve-unknown-fields": "x_kubernetes_preserve_unknown_fields",
		"as-user-extra":                        "as_user_extra",
		"iscsi":                                "iscsi",
		"gcePersistentDisk":                    "gce_persistent_disk",
		"current-context":                      "current_context",
		"IPsAllowed":                           "ips_allowed",
		"IPFamilies":                           "ip_families",
		"TLSServerName":                        "tls_server_name",
		"VolumeSource":                         "volume_source",
		"CSISource":                            "csi_source",
	} {
		if got := snakeCase(json); got != want {
			t.Errorf("snakeCase(%q) = %q, want %q", json, got, want)
		}
	}
}

func TestLowerCamelCase(t *testing.T) {
	for snake, want := range map[string]string{
		"replicas": "replicas", "api_version": "apiVersion", "host_ipc": "hostIpc", "fields_v1": "fieldsV1",
	} {
		if got := lowerCamelCase(snake); got != want {
			t.Errorf("lowerCamelCase(%q) = %q, want %q", snake, got, want)
		}
	}
}

func TestUpperCamelCase(t *testing.T) {
	if got := upperCamelCase("min_ready_seconds"); got != "MinReadySeconds" {
		t.Error(got)
	}
}

func TestPlural(t *testing.T) {
	for kind, want := range map[string]string{
		"Pod": "pods", "Ingress": "ingresses", "Endpoints": "endpoints", "NetworkPolicy": "networkpolicies",
		"Gateway": "gateways", "StorageClass": "storageclasses", "ComponentStatus": "componentstatuses",
		"Batch": "batches", "Mesh": "meshes", "Box": "boxes",
	} {
		if got := plural(kind); got != want {
			t.Errorf("plural(%q) = %q, want %q", kind, got, want)
		}
	}
}
