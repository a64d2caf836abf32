#ifndef APIMACHINERY_VALIDATION_MESSAGES_H_
#define APIMACHINERY_VALIDATION_MESSAGES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The sentences of validation messages, for custom rules with the same wording (client-go:
// `validation.MaxLenError` and others in `pkg/util/validation`). Pure functions: thread-safe.
namespace kube::validation {

// The result of checking a text: one sentence for each broken rule. Empty if the text is valid.
//
//   const Messages wrong = IsDns1123Label(name);
//   if (!wrong.empty()) return absl::InvalidArgumentError(wrong.front());
using Messages = std::vector<std::string>;

// Returns "must be no more than 63 characters".
std::string MaxLenError(int length);

// Returns "message (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z]+')".
std::string RegexError(absl::string_view message, absl::string_view regex,
                       std::initializer_list<absl::string_view> examples = {});

// Returns "must be non-empty".
std::string EmptyError();

// Returns "must be between 1 and 65535, inclusive".
std::string InclusiveRangeError(int64_t low, int64_t high);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_MESSAGES_H_
