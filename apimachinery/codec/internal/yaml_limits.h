#ifndef APIMACHINERY_CODEC_INTERNAL_YAML_LIMITS_H_
#define APIMACHINERY_CODEC_INTERNAL_YAML_LIMITS_H_

namespace kube::codec::internal {

// How deep maps and lists may nest, in both directions, so that what was written can be read.
// yaml-cpp's own bound is 500, Go's 10,000; Kubernetes' own types stay below 50.
inline constexpr int kMaxYamlDepth = 400;

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_YAML_LIMITS_H_
