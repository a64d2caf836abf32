#include "apimachinery/base/log/log_record.h"

#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::log {
namespace {

using text::AppendJsonString;
using text::AppendQuoted;
using text::FormatFixed;
using text::GoDuration;

bool HasError(const Record& record) { return record.error != nullptr && !record.error->ok(); }

// The payload type of an API server's Status: errors::kStatusPayload of a higher layer.
// status_error_test checks that both are equal.
constexpr absl::string_view kAnswer = "kubernetes.io/metav1.Status";

// Leaves out payloads: they may be long, binary or confidential. The message of an API server's
// error names its reason ("not found"), so that error is logged without the code, as in client-go;
// others are logged with it.
std::string StatusText(const absl::Status& status) {
  if (!status.message().empty() && status.GetPayload(kAnswer).has_value()) {
    return std::string(status.message());
  }
  return status.ToString(absl::StatusToStringMode::kWithNoExtraData);
}

// ---- klog's text

// Appends "=" and the quoted text; a text of several lines is written between "<" and " >", each
// line after a tab.
void AppendTextString(std::string& out, absl::string_view text) {
  if (!absl::StrContains(text, '\n')) {
    out += '=';
    AppendQuoted(out, text);
    return;
  }
  out += "=<\n";
  for (const absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    absl::StrAppend(&out, "\t", line, "\n");
  }
  out += " >";
}

void AppendTextValue(std::string& out, const Value& value) {
  std::visit(
      [&out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          out += v ? "=true" : "=false";
        } else if constexpr (std::is_same_v<T, double>) {
          // Go's JSON encoder rejects these values; klog prints the error message.
          absl::StrAppend(&out, "=",
                          std::isfinite(v)
                              ? text::FormatJson(v)
                              : absl::StrCat("\"<internal error: json: unsupported value: ",
                                             FormatFixed(v), ">\""));
        } else if constexpr (std::is_arithmetic_v<T>) {
          absl::StrAppend(&out, "=", v);
        } else if constexpr (std::is_same_v<T, absl::string_view>) {
          AppendTextString(out, v);
        } else if constexpr (std::is_same_v<T, const absl::Status*>) {
          AppendTextString(out, StatusText(*v));
        } else if constexpr (std::is_same_v<T, absl::Duration>) {
          AppendTextString(out, GoDuration(v));
        } else if constexpr (std::is_same_v<T, absl::Time>) {
          AppendTextString(
              out, absl::FormatTime("%Y-%m-%d %H:%M:%E*S +0000 UTC", v, absl::UTCTimeZone()));
        } else {
          AppendTextString(out, v.namespace_name.empty()
                                    ? std::string(v.name)
                                    : absl::StrCat(v.namespace_name, "/", v.name));
        }
      },
      value.variant());
}

// Returns the fields as klog prints them, each after a blank. If keys are equal, the last value
// counts, at its own place; but if it repeats the same text, that remains at its first place.
std::string TextFields(const Record& record) {
  std::vector<std::pair<absl::string_view, std::string>> texts;
  texts.reserve(record.fields.size() + 1);
  const auto add = [&texts](absl::string_view key, const Value& value) {
    std::string text = absl::StrCat(" ", key);
    AppendTextValue(text, value);
    const auto old = absl::c_find_if(texts, [key](const auto& t) { return t.first == key; });
    if (old != texts.end()) {
      if (old->second == text) return;
      texts.erase(old);
    }
    texts.emplace_back(key, std::move(text));
  };
  if (HasError(record)) add("err", *record.error);
  for (const Field& field : record.fields) add(field.key, field.value);
  std::string out;
  for (const auto& [key, text] : texts) out += text;
  return out;
}

char Letter(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return 'I';
    case Severity::kWarning:
      return 'W';
    case Severity::kError:
      return 'E';
  }
  return 'I';
}

// Uses the C library's time zone, because absl's cannot be used under ThreadSanitizer.
std::string TextHeader(const Record& record) {
  const int64_t micros = absl::ToUnixMicros(record.time);
  const std::time_t seconds = absl::ToTimeT(record.time);
  std::tm local = {};
  localtime_r(&seconds, &local);
  return absl::StrFormat("%c%02d%02d %02d:%02d:%02d.%06d %7d %s:%d] ", Letter(record.severity),
                         local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                         micros - int64_t{seconds} * 1000000, getpid(), record.where.Basename(),
                         record.where.line);
}

// ---- JSON

void AppendJsonKey(std::string& out, absl::string_view key) {
  if (out.back() != '{') out += ',';
  AppendJsonString(out, key);
  out += ':';
}

void AppendJsonField(std::string& out, absl::string_view key, absl::string_view text) {
  AppendJsonKey(out, key);
  AppendJsonString(out, text);
}

void AppendJsonValue(std::string& out, const Value& value) {
  std::visit(
      [&out](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          out += v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, double>) {
          if (std::isfinite(v)) {
            out += FormatFixed(v);
          } else {
            AppendJsonString(out, FormatFixed(v));
          }
        } else if constexpr (std::is_arithmetic_v<T>) {
          absl::StrAppend(&out, v);
        } else if constexpr (std::is_same_v<T, absl::string_view>) {
          AppendJsonString(out, v);
        } else if constexpr (std::is_same_v<T, const absl::Status*>) {
          AppendJsonString(out, StatusText(*v));
        } else if constexpr (std::is_same_v<T, absl::Duration>) {
          AppendJsonString(out, GoDuration(v));
        } else if constexpr (std::is_same_v<T, absl::Time>) {
          AppendJsonString(out, absl::FormatTime("%Y-%m-%dT%H:%M:%E*SZ", v, absl::UTCTimeZone()));
        } else {
          out += '{';
          AppendJsonField(out, "name", v.name);
          if (!v.namespace_name.empty()) AppendJsonField(out, "namespace", v.namespace_name);
          out += '}';
        }
      },
      value.variant());
}

// Returns the last directory and the name of the file.
absl::string_view ShortPath(const base::SourceLocation& where) {
  const absl::string_view path = where.file;
  size_t slash = path.rfind('/');
  if (slash == absl::string_view::npos || slash == 0) return path;
  slash = path.rfind('/', slash - 1);
  return slash == absl::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string FormatTextBody(const Record& record) {
  std::string out;
  AppendQuoted(out, record.message);
  return absl::StrCat(out, TextFields(record));
}

std::string FormatText(const Record& record) {
  return absl::StrCat(TextHeader(record), FormatTextBody(record), "\n");
}

std::string FormatJson(const Record& record) {
  std::string out = "{";
  AppendJsonKey(out, "ts");
  out += FormatFixed(static_cast<double>(absl::ToUnixNanos(record.time)) / 1e6);
  AppendJsonField(out, "caller", absl::StrCat(ShortPath(record.where), ":", record.where.line));
  AppendJsonField(out, "msg", record.message);
  if (record.severity != Severity::kError) {
    AppendJsonKey(out, "v");
    absl::StrAppend(&out, record.verbosity);
  }
  if (record.severity == Severity::kWarning) AppendJsonField(out, "severity", "warning");
  for (const Field& field : record.fields) {
    AppendJsonKey(out, field.key);
    AppendJsonValue(out, field.value);
  }
  if (HasError(record)) AppendJsonField(out, "err", StatusText(*record.error));
  return absl::StrCat(out, "}\n");
}

}  // namespace kube::log
