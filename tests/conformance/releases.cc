#include "tests/conformance/releases.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace kube::conformance {
namespace {

// Reads "since 1.36". Returns false if it is something else.
bool ParseRange(absl::string_view text, ReleaseRow& row) {
  const bool only = absl::ConsumePrefix(&text, "only ");
  const bool since = !only && absl::ConsumePrefix(&text, "since ");
  const bool until = !only && !since && absl::ConsumePrefix(&text, "until ");
  int minor = 0;
  if (!only && !since && !until) return false;
  if (!absl::ConsumePrefix(&text, "1.") || !absl::SimpleAtoi(text, &minor)) return false;
  if (!until) row.since = minor;
  if (!since) row.until = minor;
  return true;
}

}  // namespace

absl::StatusOr<std::vector<ReleaseRow>> ParseReleases(absl::string_view text) {
  std::vector<ReleaseRow> rows;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    if (line.empty() || absl::StartsWith(line, "#")) continue;
    const std::vector<std::string> columns = absl::StrSplit(line, " | ");
    ReleaseRow row;
    if (columns.size() != 4 || !ParseRange(columns[0], row)) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": want \"since 1.36 | KIND | NAME | REASON\": ", line));
    }
    row.kind = columns[1];
    row.name = columns[2];
    row.reason = columns[3];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace kube::conformance
