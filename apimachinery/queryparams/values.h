#ifndef APIMACHINERY_QUERYPARAMS_VALUES_H_
#define APIMACHINERY_QUERYPARAMS_VALUES_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The query of a URL. Pure functions: thread-safe.
namespace kube::queryparams {

// The values of each parameter, in their order; parameters by name. A parameter without values is
// as good as none. (url.Values)
using Values = std::map<std::string, std::vector<std::string>, std::less<>>;

// "limit=500&watch=true": what comes after the "?", escaped. (url.Values.Encode)
std::string EncodeQuery(const Values& values);

// What a query says. Pairs that are malformed, such as "a=%zz" and those with a semicolon, are left
// out; "a" is "a=". ((*url.URL).Query)
Values ParseQuery(absl::string_view query);

// A text as it stands in a query: " " is "+", all but letters, digits and "-_.~" is "%XX".
// (url.QueryEscape)
std::string EscapeQuery(absl::string_view text);

}  // namespace kube::queryparams

#endif  // APIMACHINERY_QUERYPARAMS_VALUES_H_
