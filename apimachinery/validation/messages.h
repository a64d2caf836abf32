#ifndef APIMACHINERY_VALIDATION_MESSAGES_H_
#define APIMACHINERY_VALIDATION_MESSAGES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The sentences that validation says, for rules of one's own that shall sound alike.
// (pkg/util/validation: MaxLenError and its neighbours) Pure functions: thread-safe.
namespace kube::validation {

// What the checks of a text return: what is wrong with it, a sentence each. Empty: nothing is.
//
//   if (const Messages wrong = IsDns1123Label(name); !wrong.empty()) Complain(wrong.front());
using Messages = std::vector<std::string>;

// "must be no more than 63 characters"
std::string MaxLenError(int length);

// "message (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z]+')"
std::string RegexError(absl::string_view message, absl::string_view regex,
                       std::initializer_list<absl::string_view> examples = {});

// "must be non-empty"
std::string EmptyError();

// "must be between 1 and 65535, inclusive"
std::string InclusiveRangeError(int64_t low, int64_t high);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_MESSAGES_H_
