#ifndef CODEGEN_CRDS_CRD_VERSION_H_
#define CODEGEN_CRDS_CRD_VERSION_H_

#include <string>
#include <vector>

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "kube/options.pb.h"

namespace kube::codegen {

// Returns an entry of a CRD's spec.versions for a kind with these options and this schema. Errors
// are added to `problems`. Pure and thread-safe.
Map<unstructured::Value> WriteVersion(const std::string& name, const KindOptions& options,
                                      bool is_stored, Map<unstructured::Value> schema,
                                      std::vector<std::string>& problems);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_CRD_VERSION_H_
