#ifndef APIMACHINERY_QUERYPARAMS_VALUES_H_
#define APIMACHINERY_QUERYPARAMS_VALUES_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The query of a URL. The functions are thread-safe.
namespace kube::queryparams {

// The values of each parameter, in their order; parameters are sorted by name. A parameter without
// values is not encoded. (Go: `url.Values`)
using Values = std::map<std::string, std::vector<std::string>, std::less<>>;

// Returns the escaped query, without "?": "limit=500&watch=true". (Go: `url.Values.Encode`)
std::string EncodeQuery(const Values& values);

// Parses a query. Malformed pairs, such as "a=%zz" and those with a semicolon, are left out; "a"
// means "a=". (Go: `(*url.URL).Query`)
Values ParseQuery(absl::string_view query);

// Escapes a text for a query: a space becomes "+"; all but letters, digits and "-_.~" becomes
// "%XX". (Go: `url.QueryEscape`)
std::string EscapeQuery(absl::string_view text);

}  // namespace kube::queryparams

#endif  // APIMACHINERY_QUERYPARAMS_VALUES_H_
