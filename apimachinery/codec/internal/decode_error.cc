#include "apimachinery/codec/internal/decode_error.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {
namespace {

// Map keys may contain any bytes. Escaped and cut, they keep a log line on one line and short.
std::string ReadablePath(absl::string_view path) {
  constexpr size_t kMaxBytes = 300;
  const bool is_cut = path.size() > kMaxBytes;
  return absl::StrCat(absl::CHexEscape(path.substr(0, kMaxBytes)), is_cut ? "..." : "");
}

absl::Status ErrorStatus(const kube::table::Message& message, const DecodeError& error,
                         absl::string_view place) {
  return absl::InvalidArgumentError(
      absl::StrCat("decode ", message.type_name(), ": ", ReadablePath(error.path),
                   error.path.empty() ? "" : ": ", error.cause, " (", place, ")"));
}

}  // namespace

TextPosition PositionOf(absl::string_view text, size_t offset) {
  const absl::string_view before = text.substr(0, offset);
  TextPosition position;
  position.line += static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  position.column +=
      newline == absl::string_view::npos ? before.size() : before.size() - newline - 1;
  return position;
}

absl::Status JsonErrorStatus(const kube::table::Message& message, const DecodeError& error,
                             TextPosition position) {
  return ErrorStatus(message, error,
                     absl::StrCat("line ", position.line, ", column ", position.column));
}

absl::Status WireErrorStatus(const kube::table::Message& message, absl::string_view bytes,
                             const DecodeError& error) {
  return ErrorStatus(message, error, absl::StrCat("byte ", error.at - bytes.data()));
}

absl::Status StrictStatus(const kube::table::Message& message,
                          const std::vector<std::string>& strict_errors) {
  if (strict_errors.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("decode ", message.type_name(), ": ", absl::StrJoin(strict_errors, ", ")));
}

absl::Status CheckSize(const kube::table::Message& message, absl::string_view bytes) {
  if (bytes.size() <= kMaxEncodedBytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("decode ", message.type_name(), ": size of ",
                                                   bytes.size(), " bytes exceeds the limit of ",
                                                   kMaxEncodedBytes, " bytes"));
}

DecodeContext MakeContext(const DecodeOptions& options, const kube::table::Message& message) {
  DecodeContext context = MakeContext(options);
  if (options.projection != nullptr && !options.projection->Fits(message)) {
    context.projection = nullptr;
  }
  return context;
}

DecodeContext MakeContext(const DecodeOptions& options) {
  DecodeContext context;
  if (options.projection != nullptr) context.projection = options.projection->root();
  context.max_depth = options.max_depth;
  return context;
}

}  // namespace kube::codec::internal
