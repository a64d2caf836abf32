#include "net/spdy/frame.h"

#include <cstdint>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "net/http/headers.h"

namespace kube::spdy {
namespace {

absl::string_view Flag(bool is_set, absl::string_view text) {
  return is_set ? text : absl::string_view();
}

std::string Lines(const http::Headers& headers) {
  std::string lines;
  for (const http::Header& header : headers) {
    absl::StrAppend(&lines, " ", header.name, "=", header.value);
  }
  return lines;
}

struct Describe {
  std::string operator()(const SynStreamFrame& frame) const {
    return absl::StrCat("SYN_STREAM ", frame.stream_id, Flag(frame.fin, " fin"),
                        Flag(frame.unidirectional, " unidirectional"), Lines(frame.headers));
  }
  std::string operator()(const SynReplyFrame& frame) const {
    return absl::StrCat("SYN_REPLY ", frame.stream_id, Flag(frame.fin, " fin"),
                        Lines(frame.headers));
  }
  std::string operator()(const RstStreamFrame& frame) const {
    return absl::StrCat("RST_STREAM ", frame.stream_id, " status ",
                        static_cast<uint32_t>(frame.status));
  }
  std::string operator()(const SettingsFrame& frame) const {
    std::string text = absl::StrCat("SETTINGS", Flag(frame.clear, " clear"));
    for (const Setting& setting : frame.settings) {
      absl::StrAppend(&text, " ", setting.id, "=", setting.value);
      if (setting.flags != 0) absl::StrAppend(&text, "/", static_cast<int>(setting.flags));
    }
    return text;
  }
  std::string operator()(const PingFrame& frame) const { return absl::StrCat("PING ", frame.id); }
  std::string operator()(const GoAwayFrame& frame) const {
    return absl::StrCat("GOAWAY ", frame.last_good_id, " status ",
                        static_cast<uint32_t>(frame.status));
  }
  std::string operator()(const HeadersFrame& frame) const {
    return absl::StrCat("HEADERS ", frame.stream_id, Flag(frame.fin, " fin"), Lines(frame.headers));
  }
  std::string operator()(const WindowUpdateFrame& frame) const {
    return absl::StrCat("WINDOW_UPDATE ", frame.stream_id, " by ", frame.delta);
  }
  std::string operator()(const DataPiece& piece) const {
    return absl::StrCat("DATA ", piece.stream_id, Flag(piece.fin, " fin"), ", ", piece.data.size(),
                        " bytes", Flag(!piece.ends_frame, " and more"));
  }
};

}  // namespace

std::string ToString(const Frame& frame) { return std::visit(Describe(), frame); }

}  // namespace kube::spdy
