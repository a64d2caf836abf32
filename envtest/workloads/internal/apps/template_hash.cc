#include "envtest/workloads/internal/apps/template_hash.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/random.h"
#include "apimachinery/codec/encode_protobuf.h"

namespace kube::envtest::internal {
namespace {

uint32_t Fnv1a(absl::string_view bytes) {
  uint32_t hash = 2166136261;
  for (const char byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 16777619;
  return hash;
}

}  // namespace

std::string TemplateHash(const api::core::v1::PodTemplateSpec& pod_template,
                         std::optional<int32_t> collision_count) {
  // Objects from a server can always be encoded.
  std::string bytes = codec::EncodeProtobuf(pod_template).value_or("");
  if (collision_count.has_value()) absl::StrAppend(&bytes, *collision_count);
  return base::SafeEncodeString(absl::StrCat(Fnv1a(bytes)));
}

}  // namespace kube::envtest::internal
