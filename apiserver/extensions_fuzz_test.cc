// Any definitions, rules, policies, webhooks and conversions, and requests that meet them. Nothing
// may crash the server, every request is answered, and what was created can be read.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "apiserver/testing/extension_run.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::apiserver::RunExtensions(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
