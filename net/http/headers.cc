#include "net/http/headers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::http {

namespace {

// The codes that the API server, proxies in front of it and this SDK use.
constexpr std::array kStatusTexts = {
    std::pair(100, "Continue"),
    std::pair(101, "Switching Protocols"),
    std::pair(103, "Early Hints"),
    std::pair(200, "OK"),
    std::pair(201, "Created"),
    std::pair(202, "Accepted"),
    std::pair(204, "No Content"),
    std::pair(206, "Partial Content"),
    std::pair(301, "Moved Permanently"),
    std::pair(302, "Found"),
    std::pair(303, "See Other"),
    std::pair(304, "Not Modified"),
    std::pair(307, "Temporary Redirect"),
    std::pair(308, "Permanent Redirect"),
    std::pair(400, "Bad Request"),
    std::pair(401, "Unauthorized"),
    std::pair(403, "Forbidden"),
    std::pair(404, "Not Found"),
    std::pair(405, "Method Not Allowed"),
    std::pair(406, "Not Acceptable"),
    std::pair(407, "Proxy Authentication Required"),
    std::pair(408, "Request Timeout"),
    std::pair(409, "Conflict"),
    std::pair(410, "Gone"),
    std::pair(411, "Length Required"),
    std::pair(412, "Precondition Failed"),
    std::pair(413, "Request Entity Too Large"),
    std::pair(414, "Request URI Too Long"),
    std::pair(415, "Unsupported Media Type"),
    std::pair(417, "Expectation Failed"),
    std::pair(422, "Unprocessable Entity"),
    std::pair(429, "Too Many Requests"),
    std::pair(431, "Request Header Fields Too Large"),
    std::pair(500, "Internal Server Error"),
    std::pair(501, "Not Implemented"),
    std::pair(502, "Bad Gateway"),
    std::pair(503, "Service Unavailable"),
    std::pair(504, "Gateway Timeout"),
    std::pair(505, "HTTP Version Not Supported"),
};

constexpr std::array<bool, 256> MakeTokenCharacters() {
  std::array<bool, 256> is_token = {};
  for (unsigned char c = '0'; c <= '9'; ++c) is_token[c] = true;
  for (unsigned char c = 'a'; c <= 'z'; ++c) is_token[c] = is_token[c - 'a' + 'A'] = true;
  for (const unsigned char c :
       {'!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~'}) {
    is_token[c] = true;
  }
  return is_token;
}
constexpr std::array<bool, 256> kTokenCharacters = MakeTokenCharacters();

bool IsTokenCharacter(char c) { return kTokenCharacters[static_cast<unsigned char>(c)]; }

}  // namespace

Headers::Headers(std::initializer_list<Header> headers) {
  for (const Header& header : headers) Add(header.name, header.value);
}

void Headers::Add(absl::string_view name, absl::string_view value) {
  // Most messages have at most eight lines.
  if (headers_.size() == headers_.capacity()) {
    headers_.reserve(std::max<size_t>(8, 2 * headers_.size()));
  }
  headers_.push_back({.name = absl::AsciiStrToLower(name), .value = std::string(value)});
}

void Headers::Set(absl::string_view name, absl::string_view value) {
  Remove(name);
  Add(name, value);
}

void Headers::Remove(absl::string_view name) {
  std::erase_if(headers_,
                [name](const Header& header) { return absl::EqualsIgnoreCase(header.name, name); });
}

std::optional<absl::string_view> Headers::Get(absl::string_view name) const {
  for (const Header& header : headers_) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::vector<absl::string_view> Headers::GetAll(absl::string_view name) const {
  std::vector<absl::string_view> values;
  for (const Header& header : headers_) {
    if (absl::EqualsIgnoreCase(header.name, name)) values.push_back(header.value);
  }
  return values;
}

bool Headers::HasToken(absl::string_view name, absl::string_view token) const {
  for (const absl::string_view value : GetAll(name)) {
    for (const absl::string_view element : absl::StrSplit(value, ',')) {
      if (absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(element), token)) return true;
    }
  }
  return false;
}

bool IsHeaderName(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), IsTokenCharacter);
}

bool IsHeaderValue(absl::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    return c == '\t' || !absl::ascii_iscntrl(static_cast<unsigned char>(c));
  });
}

absl::string_view StatusText(int code) {
  const auto* found = std::find_if(kStatusTexts.begin(), kStatusTexts.end(),
                                   [code](const auto& entry) { return entry.first == code; });
  return found == kStatusTexts.end() ? absl::string_view() : found->second;
}

}  // namespace kube::http
