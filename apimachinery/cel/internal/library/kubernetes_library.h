#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_KUBERNETES_LIBRARY_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_KUBERNETES_LIBRARY_H_

#include "absl/strings/string_view.h"
#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/value.h"

// The functions of Kubernetes, and the types that only they work on. (k8s.io/apiserver:
// `pkg/cel/library`)
namespace kube::cel::internal {

// Returns all functions that expressions can call. Thread-safe.
const Functions& KubernetesFunctions();

// Add functions: url, isURL and the methods of URLs;
void AddUrlFunctions(Functions& functions);
// quantity, isQuantity, sign and the methods of quantities;
void AddQuantityFunctions(Functions& functions);
// ip, cidr, isIP, isCIDR, ip.isCanonical and the methods of addresses and networks;
void AddAddressFunctions(Functions& functions);
// format.named, format.dns1123Label and others, and validate;
void AddFormatFunctions(Functions& functions);
// semver, isSemver and the methods of versions;
void AddSemverFunctions(Functions& functions);
// the methods of the authorizer, its checks and its decisions;
void AddAuthorizerFunctions(Functions& functions);
// jsonpatch.escapeKey, which only Environment::AllowJsonPatch lets expressions call.
void AddJsonPatchFunctions(Functions& functions);

// Returns whether this is a value of the named type.
bool IsOpaque(const Value& value, absl::string_view type_name);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_KUBERNETES_LIBRARY_H_
