#include "net/websocket/handshake.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/text/base64.h"
#include "apimachinery/base/text/go_text.h"
#include "net/http/headers.h"
#include "net/websocket/close.h"

namespace kube::websocket {
namespace {

constexpr absl::string_view kAccept = "sec-websocket-accept";
constexpr absl::string_view kExtensions = "sec-websocket-extensions";
constexpr absl::string_view kKey = "sec-websocket-key";
constexpr absl::string_view kProtocol = "sec-websocket-protocol";
constexpr absl::string_view kVersion = "sec-websocket-version";

constexpr absl::string_view kSupportedVersion = "13";
constexpr size_t kKeyBytes = 16;

// What a server appends to the key before it hashes it: section 1.3 of RFC 6455.
constexpr absl::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

std::string Base64(absl::string_view bytes) {
  std::string encoded(text::Base64EncodedSize(bytes.size()), '\0');
  text::EncodeBase64(bytes, encoded.data());
  return encoded;
}

std::string RandomKey() {
  std::string bytes(kKeyBytes, '\0');
  for (char& byte : bytes) byte = static_cast<char>(base::UniformInt(0, 256));
  return Base64(bytes);
}

bool IsKey(absl::string_view key) {
  const auto bytes = std::make_unique<char[]>(text::MaxBase64DecodedSize(key.size()));
  return text::DecodeBase64(key, bytes.get()) == kKeyBytes;
}

bool IsSubprotocol(absl::string_view name) {
  return !name.empty() && absl::c_all_of(name, [](char c) {
    return c != ',' && absl::ascii_isgraph(static_cast<unsigned char>(c));
  });
}

// Returns the names as Go prints a list with %q: ["a" "b"].
std::string QuotedList(absl::Span<const std::string> names) {
  return absl::StrCat("[",
                      absl::StrJoin(names, " ",
                                    [](std::string* out, const std::string& name) {
                                      text::AppendQuoted(*out, name);
                                    }),
                      "]");
}

absl::Status BadHandshake(absl::string_view cause) {
  return MakeError(CloseCode::kProtocolError, absl::StrCat("bad handshake: ", cause));
}

// Returns the value of the only line with this name, "" without such a line, and nullopt if there
// are several.
std::optional<absl::string_view> OnlyValue(const http::Headers& headers, absl::string_view name) {
  const std::vector<absl::string_view> values = headers.GetAll(name);
  if (values.size() > 1) return std::nullopt;
  return values.empty() ? absl::string_view() : absl::StripAsciiWhitespace(values.front());
}

HandshakeAnswer Refuse(int status, std::string reason, http::Headers headers = {}) {
  return {.status = status, .headers = std::move(headers), .reason = std::move(reason)};
}

}  // namespace

std::string AcceptOf(absl::string_view key) {
  const std::string hashed = absl::StrCat(key, kGuid);
  std::array<unsigned char, SHA_DIGEST_LENGTH> hash = {};
  SHA1(reinterpret_cast<const unsigned char*>(hashed.data()), hashed.size(), hash.data());
  return Base64(absl::string_view(reinterpret_cast<const char*>(hash.data()), hash.size()));
}

// ---- The client

ClientHandshake::ClientHandshake(std::vector<std::string> subprotocols, std::string key)
    : subprotocols_(std::move(subprotocols)), key_(std::move(key)) {}

absl::StatusOr<ClientHandshake> MakeClientHandshake(std::vector<std::string> subprotocols) {
  for (auto name = subprotocols.begin(); name != subprotocols.end(); ++name) {
    if (!IsSubprotocol(*name) || std::find(subprotocols.begin(), name, *name) != name) {
      return absl::InvalidArgumentError(
          absl::StrCat("offer subprotocols: invalid name ", text::Quoted(*name)));
    }
  }
  return ClientHandshake(std::move(subprotocols), RandomKey());
}

http::Headers ClientHandshake::RequestHeaders() const {
  http::Headers headers = {{"connection", "Upgrade"}, {"upgrade", "websocket"}};
  headers.Add(kVersion, kSupportedVersion);
  headers.Add(kKey, key_);
  if (!subprotocols_.empty()) headers.Add(kProtocol, absl::StrJoin(subprotocols_, ", "));
  return headers;
}

absl::StatusOr<std::string> ClientHandshake::CheckResponse(int status,
                                                           const http::Headers& headers) const {
  if (status != 101) {
    const absl::string_view name = http::StatusText(status);
    return absl::FailedPreconditionError(
        absl::StrCat("websocket: bad handshake (", status, name.empty() ? "" : " ", name, ")"));
  }
  if (!headers.HasToken("upgrade", "websocket")) {
    return BadHandshake("'websocket' token not found in 'Upgrade' header");
  }
  if (!headers.HasToken("connection", "upgrade")) {
    return BadHandshake("'upgrade' token not found in 'Connection' header");
  }
  if (OnlyValue(headers, kAccept) != AcceptOf(key_)) {
    return BadHandshake("'Sec-WebSocket-Accept' header does not fit the key");
  }
  if (OnlyValue(headers, kExtensions) != absl::string_view()) {
    return BadHandshake("an extension that was not offered");
  }
  const std::optional<absl::string_view> chosen = OnlyValue(headers, kProtocol);
  if (!chosen.has_value()) return BadHandshake("several 'Sec-WebSocket-Protocol' headers");
  if (subprotocols_.empty() && chosen->empty()) return std::string();
  if (absl::c_linear_search(subprotocols_, *chosen)) return std::string(*chosen);
  return absl::FailedPreconditionError(absl::StrCat("invalid protocol, expected one of ",
                                                    QuotedList(subprotocols_), ", got ",
                                                    text::Quoted(*chosen)));
}

// ---- The server

bool IsHandshake(const http::Headers& request) {
  return request.HasToken("upgrade", "websocket") && request.HasToken("connection", "upgrade");
}

std::vector<std::string> OfferedSubprotocols(const http::Headers& request) {
  std::vector<std::string> names;
  for (const absl::string_view line : request.GetAll(kProtocol)) {
    for (const absl::string_view element : absl::StrSplit(line, ',')) {
      const absl::string_view name = absl::StripAsciiWhitespace(element);
      if (!name.empty()) names.push_back(std::string(name));
    }
  }
  return names;
}

HandshakeAnswer AnswerHandshake(absl::string_view method, const http::Headers& request,
                                absl::Span<const std::string> known) {
  if (method != "GET") return Refuse(405, "request method is not GET");
  if (OnlyValue(request, kVersion) != kSupportedVersion) {
    return Refuse(400, "unsupported version: 13 not found in 'Sec-WebSocket-Version' header",
                  {{std::string(kVersion), std::string(kSupportedVersion)}});
  }
  const std::optional<absl::string_view> key = OnlyValue(request, kKey);
  if (!key.has_value() || !IsKey(*key)) {
    return Refuse(400, "'Sec-WebSocket-Key' header must be Base64 encoded value of 16 bytes");
  }
  std::vector<std::string> offered = OfferedSubprotocols(request);
  if (offered.empty()) offered.emplace_back();
  const auto chosen = absl::c_find_if(
      offered, [known](const std::string& name) { return absl::c_linear_search(known, name); });
  if (chosen == offered.end()) {
    return Refuse(403, absl::StrCat("requested protocol(s) are not supported: ",
                                    QuotedList(offered), "; supports ", QuotedList(known)));
  }
  HandshakeAnswer answer = {.subprotocol = *chosen};
  answer.headers = {{"upgrade", "websocket"}, {"connection", "Upgrade"}};
  answer.headers.Add(kAccept, AcceptOf(*key));
  if (!chosen->empty()) answer.headers.Add(kProtocol, *chosen);
  return answer;
}

}  // namespace kube::websocket
