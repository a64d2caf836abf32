#include "apiserver/fault_flag.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/fault_rule.h"
#include "apiserver/internal/flag_pairs.h"

namespace kube::apiserver {
namespace {

using apiserver::internal::WrongPair;

constexpr absl::string_view kInjected = "injected fault";

absl::Status SetFault(Fault fault, FaultRule& rule) {
  if (!std::holds_alternative<std::monostate>(rule.fault)) {
    return absl::InvalidArgumentError("a rule has one fault: error, delay or drop");
  }
  rule.fault = std::move(fault);
  return absl::OkStatus();
}

absl::Status SetError(absl::string_view value, FaultRule& rule) {
  absl::Status status;
  if (value == "429") {
    status = errors::TooManyRequests(kInjected, absl::Seconds(1));
  } else if (value == "500") {
    status = errors::InternalError(kInjected);
  } else if (value == "503") {
    status = errors::ServiceUnavailable(kInjected);
  } else if (value == "504") {
    status = errors::Timeout(kInjected, absl::ZeroDuration());
  } else {
    return WrongPair("error", value, "429, 500, 503 or 504");
  }
  return SetFault(fault::Error{.status = std::move(status)}, rule);
}

absl::Status SetDelay(absl::string_view value, FaultRule& rule) {
  absl::Duration time;
  if (!absl::ParseDuration(value, &time) || time <= absl::ZeroDuration()) {
    return WrongPair("delay", value, "a duration such as 100ms or 2s");
  }
  return SetFault(fault::Delay{.time = time}, rule);
}

absl::Status SetCount(absl::string_view key, absl::string_view value, int64_t& count) {
  if (absl::SimpleAtoi(value, &count) && count > 0) return absl::OkStatus();
  return WrongPair(key, value, "a number from 1");
}

absl::Status SetProbability(absl::string_view value, FaultRule& rule) {
  // The comparisons are false for NaN.
  if (absl::SimpleAtod(value, &rule.probability) && rule.probability >= 0 &&
      rule.probability <= 1) {
    return absl::OkStatus();
  }
  return WrongPair("probability", value, "a number from 0 to 1");
}

absl::Status SetText(absl::string_view key, absl::string_view value, std::string& text) {
  if (value.empty()) return WrongPair(key, value, "a name");
  text = std::string(value);
  return absl::OkStatus();
}

// What requests have; for paths without a resource it is the method.
constexpr absl::string_view kVerbs[] = {"get",    "list",  "watch",  "create",
                                        "update", "patch", "delete", "deletecollection",
                                        "post",   "put",   "head",   "options"};

absl::Status SetVerbs(absl::string_view value, FaultRule& rule) {
  std::vector<std::string> verbs = absl::StrSplit(value, '+');
  for (const std::string& verb : verbs) {
    if (std::find(std::begin(kVerbs), std::end(kVerbs), verb) == std::end(kVerbs)) {
      return WrongPair("verb", value,
                       absl::StrCat("made of ", absl::StrJoin(kVerbs, ", "), ", joined by +"));
    }
  }
  rule.verbs = std::move(verbs);
  return absl::OkStatus();
}

absl::Status SetPart(absl::string_view key, absl::string_view value, FaultRule& rule) {
  if (key == "error") return SetError(value, rule);
  if (key == "delay") return SetDelay(value, rule);
  if (key == "drop") {
    return value.empty() ? SetFault(fault::Drop{}, rule) : WrongPair(key, value, "\"drop\" alone");
  }
  if (key == "verb") return SetVerbs(value, rule);
  if (key == "group") {
    rule.group = std::string(value);
    return absl::OkStatus();
  }
  if (key == "resource") return SetText(key, value, rule.resource);
  if (key == "namespace") return SetText(key, value, rule.namespace_name);
  if (key == "name") return SetText(key, value, rule.name);
  if (key == "user") return SetText(key, value, rule.user);
  if (key == "from") return SetCount(key, value, rule.from);
  if (key == "every") return SetCount(key, value, rule.every);
  if (key == "times") return SetCount(key, value, rule.times);
  if (key == "probability") return SetProbability(value, rule);
  return WrongPair(key, value,
                   "one of error, delay, drop, verb, group, resource, namespace, name, user, from, "
                   "every, times, probability");
}

}  // namespace

absl::StatusOr<FaultRule> ParseFaultFlag(absl::string_view text) {
  FaultRule rule;
  KUBE_RETURN_IF_ERROR(apiserver::internal::ReadFlagPairs(
      text, [&rule](absl::string_view key, absl::string_view value) {
        return SetPart(key, value, rule);
      }));
  if (std::holds_alternative<std::monostate>(rule.fault)) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", text, "\" has no fault: add error=CODE, delay=TIME or drop"));
  }
  return rule;
}

}  // namespace kube::apiserver
