#ifndef NET_HTTP_HEADERS_H_
#define NET_HTTP_HEADERS_H_

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::http {

// One line of a header. The name is in lower case, as in HTTP/2.
struct Header {
  std::string name = {};
  std::string value = {};

  friend bool operator==(const Header&, const Header&) = default;
};

// The header of a request or a response, in the order of arrival. Names are compared without regard
// to case and stored in lower case. (Go: `http.Header`)
//
//   Headers headers = {{"content-type", "application/json"}};
//   headers.Add("Warning", "299 - \"deprecated\"");
//   const bool is_json = headers.Get("Content-Type") == "application/json";
//
// Names and values are not checked: see IsHeaderName and IsHeaderValue. Thread-compatible.
class Headers {
 public:
  using const_iterator = std::vector<Header>::const_iterator;

  Headers() = default;
  Headers(std::initializer_list<Header> headers);

  // Adds a line, and keeps those with the same name.
  void Add(absl::string_view name, absl::string_view value);
  // Adds a line, and removes those with the same name.
  void Set(absl::string_view name, absl::string_view value);
  void Remove(absl::string_view name);

  // Returns the value of the first line with this name, or nullopt. Valid until the headers change.
  std::optional<absl::string_view> Get(absl::string_view name) const;
  // Returns the values of all lines with this name, in order. Valid until the headers change.
  std::vector<absl::string_view> GetAll(absl::string_view name) const;
  // Returns whether `token` is an element of a line with this name, which is a comma-separated
  // list. Case is ignored. Example: HasToken("connection", "close").
  bool HasToken(absl::string_view name, absl::string_view token) const;

  const_iterator begin() const { return headers_.begin(); }
  const_iterator end() const { return headers_.end(); }
  size_t size() const { return headers_.size(); }
  bool empty() const { return headers_.empty(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<Header> headers_;
};

// Returns whether `name` is a valid header name: a token of RFC 9110.
bool IsHeaderName(absl::string_view name);

// Returns whether `value` is a valid header value: it has no control characters except tabs. In
// particular it has no line breaks, with which a text from outside could add a header.
bool IsHeaderValue(absl::string_view value);

// Returns the reason phrase of a code, such as "Not Found" for 404; "" for an unknown one.
// (Go: `http.StatusText`)
absl::string_view StatusText(int code);

}  // namespace kube::http

#endif  // NET_HTTP_HEADERS_H_
