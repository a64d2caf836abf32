#include "apiserver/containers/log_reader.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apiserver/containers/container_log.h"

namespace kube::apiserver::internal {
namespace {

constexpr size_t kPieceBytes = size_t{32} << 10;

// Returns the time as kubelets write it, with all nine digits of the nanoseconds.
std::string TimeText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E9SZ", time, absl::UTCTimeZone());
}

}  // namespace

LogReader::LogReader(std::shared_ptr<const ContainerLog> log, const LogFilter& filter)
    : log_(std::move(log)),
      since_(filter.since),
      timestamps_(filter.timestamps),
      position_(log_->Tail(filter.tail_lines)) {
  if (filter.limit_bytes.has_value()) remaining_ = static_cast<size_t>(*filter.limit_bytes);
}

LogReader::Piece LogReader::Next() {
  Piece piece;
  const ContainerLog::Piece read = log_->Read(position_, kPieceBytes);
  position_ = read.next;
  for (const ContainerLog::Chunk& chunk : read.chunks) {
    if (chunk.time < since_) continue;
    std::string text;
    if (timestamps_ && chunk.begins_line) absl::StrAppend(&text, TimeText(chunk.time), " ");
    absl::StrAppend(&text, chunk.text);
    if (remaining_.has_value()) {
      text.resize(std::min(text.size(), *remaining_));
      *remaining_ -= text.size();
    }
    absl::StrAppend(&piece.bytes, text);
    if (remaining_.has_value() && *remaining_ == 0) {
      piece.end = true;
      return piece;
    }
  }
  piece.more = read.more;
  piece.end = read.ended;
  return piece;
}

std::string LogReader::Rest() {
  std::string bytes;
  while (true) {
    const Piece piece = Next();
    absl::StrAppend(&bytes, piece.bytes);
    if (piece.end || !piece.more) return bytes;
  }
}

}  // namespace kube::apiserver::internal
