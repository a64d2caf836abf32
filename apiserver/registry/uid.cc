#include "apiserver/registry/uid.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_format.h"
#include "apimachinery/base/runtime.h"

namespace kube::apiserver::internal {

std::string NewUid() {
  base::Runtime& runtime = base::Runtime::Current();
  const uint64_t a = runtime.Random();
  const uint64_t b = runtime.Random();
  return absl::StrFormat("%08x-%04x-4%03x-%04x-%012x", a >> 32, (a >> 16) & 0xffff, a & 0xfff,
                         0x8000 | (b >> 48 & 0x3fff), b & 0xffffffffffff);
}

}  // namespace kube::apiserver::internal
