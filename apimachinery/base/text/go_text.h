#ifndef APIMACHINERY_BASE_TEXT_GO_TEXT_H_
#define APIMACHINERY_BASE_TEXT_GO_TEXT_H_

// Formats text exactly as Go does, for logs, metrics and everything else that must look like
// Kubernetes' output. Pure functions: thread-safe.

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::text {

// Returns whether Go prints the character without an escape. Go: `strconv.IsPrint`,
// `unicode.IsPrint`.
bool IsPrint(char32_t rune);

// Appends `text` in double quotes; characters that are not printable are escaped. Go:
// `strconv.AppendQuote`.
void AppendQuoted(std::string& out, absl::string_view text);

// Returns `text` as AppendQuoted writes it. Go: `strconv.Quote`, and %q.
std::string Quoted(absl::string_view text);

// Appends `text` as a JSON string with its quotes; invalid UTF-8 bytes become \ufffd. The
// characters <, > and & are not escaped, unlike in encoding/json's default. zap: the string
// encoding of its JSON encoder.
void AppendJsonString(std::string& out, absl::string_view text);

// Appends like AppendJsonString, but writes \b and \f where zap writes \u0008 and \u000c, and
// escapes U+2028 and U+2029. Go (1.22 or newer): `json.Encoder` after `SetEscapeHTML(false)`.
void AppendStandardJsonString(std::string& out, absl::string_view text);

// Return the shortest text that reads back as the same number.
std::string FormatFixed(double value);    // strconv.FormatFloat(v, 'f', -1, 64): "1000000"
std::string FormatGeneral(double value);  // strconv.FormatFloat(v, 'g', -1, 64): "1e+06"
std::string FormatJson(double value);     // encoding/json; finite values only

// Returns a text such as "1h0m0.5s"; "inf" or "-inf" for infinite durations, which Go does not
// have. Go: `time.Duration.String`.
std::string GoDuration(absl::Duration duration);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_GO_TEXT_H_
