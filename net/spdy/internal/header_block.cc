#include "net/spdy/internal/header_block.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "net/http/headers.h"
#include "net/io/big_endian.h"
#include "net/spdy/frame.h"
#include "net/spdy/internal/error.h"

namespace kube::spdy::internal {
namespace {

constexpr size_t kNumberBytes = 4;

// Separates the values of one name.
constexpr char kSeparator = '\0';

// Returns whether a name belongs to the connection, and not to a stream.
bool IsOfConnection(absl::string_view name, HeaderKind kind) {
  return name == "connection" || name == "keep-alive" || name == "proxy-connection" ||
         name == "transfer-encoding" || (name == "host" && kind == HeaderKind::kRequest);
}

// ---- Writing

// A name with its values as they are written.
struct Pair {
  absl::string_view name;
  std::string value;
};

absl::Status Invalid(absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("send headers: ", message));
}

absl::Status CheckLine(const http::Header& line, HeaderKind kind) {
  if (!http::IsHeaderName(line.name)) return Invalid("invalid name");
  if (IsOfConnection(line.name, kind)) {
    return Invalid(absl::StrCat(line.name, " belongs to the connection"));
  }
  if (absl::StrContains(line.value, kSeparator)) {
    return Invalid(absl::StrCat(line.name, ": the value contains NUL"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Pair>> PairsOf(const http::Headers& headers, HeaderKind kind) {
  std::vector<Pair> pairs;
  for (const http::Header& line : headers) {
    KUBE_RETURN_IF_ERROR(CheckLine(line, kind));
    const auto pair =
        absl::c_find_if(pairs, [&line](const Pair& other) { return other.name == line.name; });
    if (pair == pairs.end()) {
      pairs.push_back({.name = line.name, .value = line.value});
    } else {
      pair->value.push_back(kSeparator);
      pair->value += line.value;
    }
  }
  return pairs;
}

void AppendText(absl::string_view text, std::string& out) {
  io::AppendBigEndian(text.size(), kNumberBytes, out);
  out.append(text.data(), text.size());
}

// ---- Reading

absl::Status Truncated() { return ProtocolError("compressed payload size was incorrect"); }

// Takes a number from the front of the block.
std::optional<uint64_t> TakeNumber(absl::string_view& block) {
  if (block.size() < kNumberBytes) return std::nullopt;
  const uint64_t number = io::ReadBigEndian(block.substr(0, kNumberBytes));
  block.remove_prefix(kNumberBytes);
  return number;
}

absl::StatusOr<absl::string_view> TakeText(absl::string_view& block, const Limits& limits) {
  const std::optional<uint64_t> size = TakeNumber(block);
  if (!size.has_value()) return Truncated();
  if (*size > limits.max_header_bytes) return LimitError("header too long");
  if (*size > block.size()) return Truncated();
  const absl::string_view text = block.substr(0, *size);
  block.remove_prefix(*size);
  return text;
}

absl::Status CheckName(absl::string_view name, HeaderKind kind) {
  if (absl::c_any_of(name,
                     [](char c) { return absl::ascii_isupper(static_cast<unsigned char>(c)); })) {
    return ProtocolError("header was not lowercased");
  }
  if (name.empty() || !absl::c_all_of(name, [](char c) {
        return absl::ascii_isgraph(static_cast<unsigned char>(c));
      })) {
    return ProtocolError("invalid header name");
  }
  if (IsOfConnection(name, kind)) return ProtocolError("frame contained invalid header");
  return absl::OkStatus();
}

// Adds a line for each value. A value of many separators would be many lines of a few bytes.
absl::Status AddValues(absl::string_view name, absl::string_view value, const Limits& limits,
                       http::Headers& headers) {
  for (const absl::string_view single : absl::StrSplit(value, kSeparator)) {
    if (headers.size() >= limits.max_headers) return LimitError("too many headers");
    headers.Add(name, single);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> EncodeHeaders(const http::Headers& headers, HeaderKind kind,
                                          const Limits& limits) {
  if (headers.size() > limits.max_headers) return Invalid("too many headers");
  KUBE_ASSIGN_OR_RETURN(const std::vector<Pair> pairs, PairsOf(headers, kind));
  std::string block;
  io::AppendBigEndian(pairs.size(), kNumberBytes, block);
  for (const Pair& pair : pairs) {
    if (std::max(pair.name.size(), pair.value.size()) > limits.max_header_bytes) {
      return Invalid("header too long");
    }
    AppendText(pair.name, block);
    AppendText(pair.value, block);
  }
  if (block.size() > limits.max_block_bytes) return Invalid("headers too long");
  return block;
}

absl::StatusOr<http::Headers> DecodeHeaders(absl::string_view block, HeaderKind kind,
                                            const Limits& limits) {
  const std::optional<uint64_t> pairs = TakeNumber(block);
  if (!pairs.has_value()) return Truncated();
  if (*pairs > limits.max_headers) return LimitError("too many headers");
  http::Headers headers;
  absl::flat_hash_set<absl::string_view> names;
  for (uint64_t i = 0; i < *pairs; ++i) {
    KUBE_ASSIGN_OR_RETURN(const absl::string_view name, TakeText(block, limits));
    KUBE_ASSIGN_OR_RETURN(const absl::string_view value, TakeText(block, limits));
    KUBE_RETURN_IF_ERROR(CheckName(name, kind));
    if (!names.insert(name).second) return ProtocolError("multiple headers with same name");
    KUBE_RETURN_IF_ERROR(AddValues(name, value, limits, headers));
  }
  if (!block.empty()) return Truncated();
  return headers;
}

}  // namespace kube::spdy::internal
