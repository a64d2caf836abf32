#ifndef APIMACHINERY_BASE_TEXT_GO_TEXT_H_
#define APIMACHINERY_BASE_TEXT_GO_TEXT_H_

// Text exactly as Go writes it: what logs and metrics of Kubernetes look like, and what reads them.
// Pure functions: thread-safe.

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::text {

// (strconv.IsPrint, unicode.IsPrint)
bool IsPrint(char32_t rune);

// Appends `text` in double quotes, escaped where it does not print. (strconv.AppendQuote)
void AppendQuoted(std::string& out, absl::string_view text);

// Appends `text` as a JSON string in its quotes; invalid bytes become \ufffd. Nothing is escaped
// for the sake of HTML. (zap's encoder; encoding/json would escape <, > and & too)
void AppendJsonString(std::string& out, absl::string_view text);

// The same with \b and \f where zap has \u0008 and \u000c, and with U+2028 and U+2029 escaped.
// (encoding/json's Encoder after SetEscapeHTML(false), since Go 1.22)
void AppendStandardJsonString(std::string& out, absl::string_view text);

// The shortest digits that read back as the same number.
std::string FormatFixed(double value);    // strconv.FormatFloat(v, 'f', -1, 64): "1000000"
std::string FormatGeneral(double value);  // strconv.FormatFloat(v, 'g', -1, 64): "1e+06"
std::string FormatJson(double value);     // encoding/json; finite values only

// (time.Duration).String: "1h0m0.5s". Infinite durations, which Go lacks: "inf", "-inf".
std::string GoDuration(absl::Duration duration);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_GO_TEXT_H_
