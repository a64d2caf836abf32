#ifndef NET_HTTP_HEADERS_H_
#define NET_HTTP_HEADERS_H_

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::http {

// One line of a header. The name is in lower case, as HTTP/2 sends it.
struct Header {
  std::string name = {};
  std::string value = {};

  friend bool operator==(const Header&, const Header&) = default;
};

// The header of a request or a response, in the order in which it came. Names are compared without
// regard to case and kept in lower case. Go: http.Header.
//
//   Headers headers = {{"content-type", "application/json"}};
//   headers.Add("Warning", "299 - \"deprecated\"");
//   if (headers.Get("Content-Type") == "application/json") ...
//
// Nothing here checks what it is given: see IsHeaderName and IsHeaderValue. Thread-compatible.
class Headers {
 public:
  using const_iterator = std::vector<Header>::const_iterator;

  Headers() = default;
  Headers(std::initializer_list<Header> headers);

  // One more, besides those of the same name.
  void Add(absl::string_view name, absl::string_view value);
  // Instead of those of the same name.
  void Set(absl::string_view name, absl::string_view value);
  void Remove(absl::string_view name);

  // The first of this name. Nothing: there is none. Valid until the headers change.
  std::optional<absl::string_view> Get(absl::string_view name) const;
  // All of this name, in their order.
  std::vector<absl::string_view> GetAll(absl::string_view name) const;
  // Whether one of this name, a list with commas, has `token` among its elements, without regard to
  // case: HasToken("connection", "close").
  bool HasToken(absl::string_view name, absl::string_view token) const;

  const_iterator begin() const { return headers_.begin(); }
  const_iterator end() const { return headers_.end(); }
  size_t size() const { return headers_.size(); }
  bool empty() const { return headers_.empty(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<Header> headers_;
};

// Whether HTTP allows it as a name: a token of RFC 9110.
bool IsHeaderName(absl::string_view name);

// Whether HTTP allows it as a value: no control characters but tabs. In particular no line breaks,
// by which a text from outside would become a header of its own.
bool IsHeaderValue(absl::string_view value);

// "Not Found" of 404; "" of a code that HTTP does not name. Go: http.StatusText.
absl::string_view StatusText(int code);

}  // namespace kube::http

#endif  // NET_HTTP_HEADERS_H_
