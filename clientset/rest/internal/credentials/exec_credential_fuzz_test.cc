// Random outputs of a plug-in: no crash, and no error contains a part of the output.

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/exec_credential.h"
#include "net/http/headers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::rest::internal::Credentials;
  const absl::string_view output(reinterpret_cast<const char*>(data), size);
  for (const char* version :
       {"client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"}) {
    const absl::StatusOr<Credentials> credentials =
        kube::rest::internal::DecodeExecCredential(version, output);
    if (!credentials.ok()) continue;
    KUBE_CHECK(!credentials->authorization.empty() || !credentials->certificate.empty())
        << "credentials of nothing";
    KUBE_CHECK(credentials->certificate.empty() == credentials->key.empty()) << "half a pair";
    KUBE_CHECK(kube::http::IsHeaderValue(credentials->authorization.Reveal()))
        << "no header can have it";
  }
  return 0;
}
