#include "apimachinery/scheme/media_type.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/envelope_prefix.h"

namespace kube::scheme {

namespace {

constexpr SerializerInfo kSupported[] = {
    {.media_type = "application/json",
     .type = "application",
     .subtype = "json",
     .format = Format::kJson,
     .encodes_as_text = true,
     .streams = true},
    {.media_type = "application/yaml",
     .type = "application",
     .subtype = "yaml",
     .format = Format::kYaml,
     .encodes_as_text = true,
     .streams = false},
    {.media_type = "application/vnd.kubernetes.protobuf",
     .type = "application",
     .subtype = "vnd.kubernetes.protobuf",
     .format = Format::kProtobuf,
     .encodes_as_text = false,
     .streams = true},
};

bool IsTokenChar(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         (c != '\0' && absl::StrContains("!#$%&'*+-.^_`{|}~", absl::string_view(&c, 1)));
}

// Returns whether a backslash in a quoted value escapes `c`.
bool IsSpecial(char c) {
  return c != '\0' && absl::StrContains("()<>@,;:\\\"/[]?=", absl::string_view(&c, 1));
}

// Removes a token from the front of `rest` and returns it; "" if there is none.
absl::string_view TakeToken(absl::string_view& rest) {
  size_t size = 0;
  while (size < rest.size() && IsTokenChar(rest[size])) ++size;
  const absl::string_view token = rest.substr(0, size);
  rest.remove_prefix(size);
  return token;
}

bool TakeChar(absl::string_view& rest, char c) {
  if (rest.empty() || rest[0] != c) return false;
  rest.remove_prefix(1);
  return true;
}

void SkipSpace(absl::string_view& rest) { rest = absl::StripLeadingAsciiWhitespace(rest); }

// Removes a token or a quoted string, which may be empty, and returns its value.
std::optional<std::string> TakeValue(absl::string_view& rest) {
  if (rest.empty() || rest[0] != '"') {
    const absl::string_view token = TakeToken(rest);
    if (token.empty()) return std::nullopt;
    return std::string(token);
  }
  std::string value;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return value;
    }
    // Other backslashes are literal, as in Go: some clients send file names with unescaped ones.
    if (rest[i] == '\\' && i + 1 < rest.size() && IsSpecial(rest[i + 1]))
      ++i;
    else if (rest[i] == '\r' || rest[i] == '\n')
      return std::nullopt;
    value += rest[i];
  }
  return std::nullopt;
}

struct Parameter {
  std::string name;
  std::string value;
};

std::optional<Parameter> TakeParameter(absl::string_view& rest) {
  if (!TakeChar(rest, ';')) return std::nullopt;
  SkipSpace(rest);
  const std::string name = absl::AsciiStrToLower(TakeToken(rest));
  if (name.empty()) return std::nullopt;
  SkipSpace(rest);
  if (!TakeChar(rest, '=')) return std::nullopt;
  SkipSpace(rest);
  std::optional<std::string> value = TakeValue(rest);
  if (!value.has_value()) return std::nullopt;
  return Parameter{.name = name, .value = *std::move(value)};
}

absl::Status CheckType(absl::string_view media_type) {
  absl::string_view rest = media_type;
  if (TakeToken(rest).empty()) return absl::InvalidArgumentError("mime: no media type");
  if (rest.empty()) return absl::OkStatus();  // a Content-Disposition: "form-data"
  if (!TakeChar(rest, '/')) {
    return absl::InvalidArgumentError("mime: expected slash after first token");
  }
  if (TakeToken(rest).empty()) {
    return absl::InvalidArgumentError("mime: expected token after slash");
  }
  if (!rest.empty()) {
    return absl::InvalidArgumentError("mime: unexpected content after media subtype");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Span<const SerializerInfo> SupportedMediaTypes() { return kSupported; }

const SerializerInfo* SerializerInfoForMediaType(absl::Span<const SerializerInfo> supported,
                                                 absl::string_view media_type) {
  for (const SerializerInfo& info : supported) {
    if (info.media_type == media_type) return &info;
  }
  return nullptr;
}

absl::string_view MediaTypeOf(Format format) {
  for (const SerializerInfo& info : kSupported) {
    if (info.format == format) return info.media_type;
  }
  return "";
}

absl::StatusOr<MediaType> ParseMediaType(absl::string_view content_type) {
  const size_t semicolon = content_type.find(';');
  MediaType parsed;
  parsed.media_type =
      absl::AsciiStrToLower(absl::StripAsciiWhitespace(content_type.substr(0, semicolon)));
  KUBE_RETURN_IF_ERROR(CheckType(parsed.media_type));
  absl::string_view rest =
      semicolon == absl::string_view::npos ? "" : content_type.substr(semicolon);
  while (true) {
    SkipSpace(rest);
    // A semicolon at the end is allowed.
    if (rest.empty() || absl::StripAsciiWhitespace(rest) == ";") return parsed;
    std::optional<Parameter> parameter = TakeParameter(rest);
    if (!parameter.has_value()) {
      return absl::InvalidArgumentError("mime: invalid media parameter");
    }
    const auto [it, is_new] = parsed.parameters.emplace(parameter->name, parameter->value);
    if (!is_new && it->second != parameter->value) {
      return absl::InvalidArgumentError("mime: duplicate parameter name");
    }
  }
}

absl::StatusOr<Format> FormatOf(absl::string_view content_type) {
  if (content_type.empty()) return Format::kJson;
  // Fast path: most content types have no parameters.
  if (const auto* const known = SerializerInfoForMediaType(kSupported, content_type)) {
    return known->format;
  }
  const absl::StatusOr<MediaType> parsed = ParseMediaType(content_type);
  const SerializerInfo* const info =
      parsed.ok() ? SerializerInfoForMediaType(kSupported, parsed->media_type) : nullptr;
  if (info == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("no serializers registered for ", content_type));
  }
  return info->format;
}

std::optional<Format> RecognizeFormat(absl::string_view body) {
  if (absl::StartsWith(body, kEnvelopePrefix)) return Format::kProtobuf;
  if (absl::StartsWith(absl::StripLeadingAsciiWhitespace(body), "{")) return Format::kJson;
  return std::nullopt;
}

}  // namespace kube::scheme
