#include "controller/health/internal/health_text.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/queryparams/values.h"
#include "net/httpserver/exchange.h"

namespace kube::health::internal {
namespace {

constexpr char kPlainText[] = "text/plain; charset=utf-8";

// Returns the names of excluded checks, sorted and without duplicates.
std::set<std::string> Excluded(const queryparams::Values& query) {
  const auto found = query.find("exclude");
  if (found == query.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace

bool IsExcluded(const queryparams::Values& query, absl::string_view name) {
  return Excluded(query).count(std::string(name)) > 0;
}

httpserver::Response AnswerOfAll(absl::string_view endpoint,
                                 const std::vector<CheckResult>& results,
                                 const queryparams::Values& query) {
  std::set<std::string> unknown = Excluded(query);
  bool failed = false;
  std::string text;
  for (const CheckResult& result : results) {
    if (!result.status.has_value()) {
      unknown.erase(result.name);
      absl::StrAppend(&text, "[+]", result.name, " excluded: ok\n");
    } else if (result.status->ok()) {
      absl::StrAppend(&text, "[+]", result.name, " ok\n");
    } else {
      failed = true;
      absl::StrAppend(&text, "[-]", result.name, " failed: reason withheld\n");
    }
  }
  if (!unknown.empty()) {
    const auto quote = [](std::string* out, const std::string& name) {
      text::AppendQuoted(*out, name);
    };
    absl::StrAppend(&text, "warn: some health checks cannot be excluded: no matches for ",
                    absl::StrJoin(unknown, ",", quote), "\n");
  }
  if (failed) return ErrorText(500, absl::StrCat(text, endpoint, " check failed"));
  if (query.find("verbose") == query.end()) {
    text = "ok";
  } else {
    absl::StrAppend(&text, endpoint, " check passed\n");
  }
  return {.headers = {{"content-type", kPlainText}, {"x-content-type-options", "nosniff"}},
          .body = std::move(text)};
}

httpserver::Response AnswerOfOne(const absl::Status& status) {
  if (!status.ok()) {
    return ErrorText(500,
                     absl::StrCat("internal server error: ", absl::string_view(status.message())));
  }
  return {.headers = {{"content-type", kPlainText}}, .body = "ok"};
}

httpserver::Response ErrorText(int status, std::string text) {
  return {.status = status,
          .headers = {{"content-type", kPlainText}, {"x-content-type-options", "nosniff"}},
          .body = absl::StrCat(text, "\n")};
}

}  // namespace kube::health::internal
