// Random kubeconfig files, from parsing to a client that would send a request. The result must be a
// Status or a client: no crash, no header that HTTP does not allow, and no secret in a Status.
// Files come from a folder of the test; plug-ins are not run, and nothing is sent over a network.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_codec.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "net/certificates/certificate_authority.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::clientcmd {
namespace {

// Every secret begins with this text; inputs never contain it.
constexpr char kMarker[] = "q7Zk2secret";

class Files {
 public:
  Files() {
    const char* parent = std::getenv("TEST_TMPDIR");
    std::string pattern = absl::StrCat(parent == nullptr ? "/tmp" : parent, "/client_fuzz.XXXXXX");
    folder_ = mkdtemp(pattern.data());
    const auto authority = *certificates::CertificateAuthority::Make("ca");
    const auto client = *authority.Issue({.common_name = "client"});
    Write("a", absl::StrCat(kMarker, "\n"));
    Write("b", client.certificate);
    Write("c", client.key.Reveal());
    Write("d", authority.certificate());
    Write("e", absl::StrCat(kMarker, "\n", kMarker));
    Write("f", absl::string_view("\0\xff\n", 3));
    Write("g", "");
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  // Returns the path of the file in the folder that has the last part of `path` as its name.
  std::string Of(absl::string_view path) const {
    if (path.empty()) return "";
    const size_t slash = path.rfind('/');
    const absl::string_view name = slash == absl::string_view::npos ? path : path.substr(slash + 1);
    return absl::StrCat(folder_, "/", name == ".." ? "." : name);
  }

 private:
  void Write(absl::string_view name, absl::string_view text) const {
    std::ofstream(absl::StrCat(folder_, "/", name), std::ios::binary)
        .write(text.data(), static_cast<std::streamsize>(text.size()));
  }

  std::string folder_;
};

// Checks the requests that would be sent.
class Wire final : public httpclient::Transport {
 public:
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context&,
                                                     httpclient::HttpRequest request) override {
    for (const http::Header& header : request.headers) {
      KUBE_CHECK(http::IsHeaderName(header.name)) << "invalid header name";
      KUBE_CHECK(http::IsHeaderValue(header.value)) << "invalid header value";
    }
    for (const char c : request.url) KUBE_CHECK(c > ' ' && c < 0x7f) << "a URL that is none";
    KUBE_CHECK(request.connection != nullptr);
    return absl::UnimplementedError("there is no network");
  }
  void CloseIdleConnections() override {}
};

void Mark(base::Secret& secret) {
  if (!secret.empty()) secret = base::Secret(absl::StrCat(kMarker, secret.Reveal()));
}

void Prepare(Kubeconfig& config, const Files& files) {
  for (auto& [name, cluster] : config.clusters) {
    cluster.certificate_authority = files.Of(cluster.certificate_authority);
  }
  for (auto& [name, user] : config.users) {
    user.client_certificate = files.Of(user.client_certificate);
    user.client_key = files.Of(user.client_key);
    user.token_file = files.Of(user.token_file);
    Mark(user.token);
    Mark(user.password);
    Mark(user.client_key_data);
  }
}

void Check(const absl::Status& status) {
  KUBE_CHECK(!absl::StrContains(status.ToString(), kMarker)) << "a secret in a status";
}

void Use(absl::string_view text) {
  static const Files& files = *std::make_unique<Files>().release();
  if (absl::StrContains(text, kMarker)) return;
  absl::StatusOr<Kubeconfig> kubeconfig = DecodeKubeconfig(text);
  if (!kubeconfig.ok()) return;
  Prepare(*kubeconfig, files);
  absl::StatusOr<rest::Config> config = DirectClientConfig(*kubeconfig).ToRestConfig();
  if (!config.ok()) return Check(config.status());
  config->transport = std::make_shared<Wire>();
  const absl::StatusOr<rest::Client> client = rest::MakeClient(*config);
  if (!client.ok()) return Check(client.status());
  if (config->exec.has_value()) return;
  Check(client->Do(Context(), {.absolute_path = "/version"}).status());
}

}  // namespace
}  // namespace kube::clientcmd

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::clientcmd::Use(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
