#include "benchmarks/rest/watch_bodies.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/scheme/media_type.h"
#include "net/httpserver/exchange.h"

namespace kube::benchmarks {
namespace {

// Returns tag and length of a length-delimited protobuf field.
std::string Head(int number, size_t size) {
  std::string out(1, static_cast<char>(number << 3 | 2));
  for (; size >= 0x80; size >>= 7) out.push_back(static_cast<char>(size | 0x80));
  out.push_back(static_cast<char>(size));
  return out;
}

// Appends four bytes of length and a WatchEvent, which contains a type and a RawExtension.
void AppendProtobufEvent(absl::string_view type, absl::string_view object, std::string& out) {
  const std::string raw_head = Head(1, object.size());
  const std::string head =
      absl::StrCat(Head(1, type.size()), type, Head(2, raw_head.size() + object.size()), raw_head);
  const size_t size = head.size() + object.size();
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(size >> shift));
  absl::StrAppend(&out, head, object);
}

}  // namespace

void AppendEvent(scheme::Format format, absl::string_view type, absl::string_view object,
                 std::string& out) {
  if (format == scheme::Format::kProtobuf) return AppendProtobufEvent(type, object, out);
  absl::StrAppend(&out, R"({"type":")", type, R"(","object":)", object, "}\n");
}

bool Stream(httpserver::Exchange& exchange, absl::string_view body) {
  constexpr size_t kPiece = size_t{256} << 10;
  constexpr size_t kAhead = size_t{4} << 20;
  for (; !body.empty(); body.remove_prefix(std::min(kPiece, body.size()))) {
    while (exchange.buffered_bytes() > kAhead) {
      if (!base::SleepFor(exchange.context(), absl::Microseconds(200)).ok()) return false;
    }
    if (!exchange.Write(std::string(body.substr(0, kPiece)))) return false;
  }
  return true;
}

}  // namespace kube::benchmarks
