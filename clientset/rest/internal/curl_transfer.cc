#include "clientset/rest/internal/curl_transfer.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/internal/curl_connection.h"
#include "clientset/rest/internal/curl_error.h"
#include "clientset/rest/internal/curl_options.h"
#include "clientset/rest/internal/endpoint.h"
#include "clientset/rest/internal/event_loop.h"
#include "clientset/rest/internal/transfer.h"
#include "clientset/rest/transport_error.h"
#include "net/http/headers.h"

namespace kube::rest::internal {
namespace {

// What curl takes of a response at a time (CURLOPT_BUFFERSIZE): much, see MayHaveMore, and in any
// case the longest header of HTTP/2 that it knows, 128 kB. The system gives memory for it when it
// is written to.
size_t BufferBytes(const HttpTransportOptions& options) {
  return std::clamp(options.max_buffered_bytes, size_t{160} << 10, size_t{512} << 10);
}

bool HasLimitedBuffer() {
  static const bool limited = curl_version_info(CURLVERSION_NOW)->version_num < 0x080100;
  return limited;
}

template <typename Value>
bool Set(CURL* easy, CURLoption option, Value value) {
  return curl_easy_setopt(easy, option, value) == CURLE_OK;
}

size_t Discard(char*, size_t size, size_t count, void*) { return size * count; }

// What a response had when it ended while it was paused, on a connection that others use, curl
// (7.88 at least) does not free with the handle, but at the end of the next transfer that has a
// connection for itself. Here is one.
void FreeWhatIsKept(CURL* easy) {
  curl_easy_reset(easy);
  // Without NOSIGNAL curl would change the process's SIGPIPE for so long.
  if (Set(easy, CURLOPT_NOSIGNAL, 1L) && Set(easy, CURLOPT_WRITEFUNCTION, &Discard) &&
      Set(easy, CURLOPT_URL, "file:///dev/null")) {
    curl_easy_perform(easy);
  }
}

// curl makes these itself.
bool IsFraming(absl::string_view name) {
  return name == "content-length" || name == "transfer-encoding" || name == "expect" ||
         name == "connection";
}

// net/http sends "content-length: 0" with these, and some servers insist.
bool MeansBody(absl::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

}  // namespace

CurlTransfer::CurlTransfer(EventLoop& loop, const CurlOptions& curl_options, CurlGroup& group,
                           Observer& observer, const HttpTransportOptions& options)
    : options_(curl_options),
      group_(group),
      observer_(observer),
      max_header_bytes_(options.max_header_bytes),
      buffer_bytes_(BufferBytes(options)),
      lost_after_(options.lost_after),
      easy_(curl_easy_init()),
      timer_(loop, [this] {
        responded_ ? observer_.OnSilence(*this) : observer_.OnHeaderTimeout(*this);
      }) {
  if (easy_ != nullptr && !SetConstantOptions()) easy_.reset();
}

CurlTransfer::~CurlTransfer() {
  if (spoilt_ && easy_ != nullptr) FreeWhatIsKept(easy_.get());
}

bool CurlTransfer::SetConstantOptions() {
  CURL* const easy = easy_.get();
  void* const self = this;
  return options_.Apply(easy) && Set(easy, CURLOPT_PRIVATE, self) &&
         Set(easy, CURLOPT_BUFFERSIZE, static_cast<long>(buffer_bytes_)) &&
         Set(easy, CURLOPT_ERRORBUFFER, error_.data()) &&
         Set(easy, CURLOPT_HEADERFUNCTION, &OnHeader) && Set(easy, CURLOPT_HEADERDATA, self) &&
         Set(easy, CURLOPT_WRITEFUNCTION, &OnData) && Set(easy, CURLOPT_WRITEDATA, self) &&
         Set(easy, CURLOPT_PREREQFUNCTION, &OnPrepared) && Set(easy, CURLOPT_PREREQDATA, self);
}

bool CurlTransfer::Start(std::shared_ptr<Transfer> transfer, const Endpoint& endpoint) {
  if (easy_ == nullptr) return false;
  transfer_ = std::move(transfer);
  const HttpRequest& request = transfer_->request();
  url_ = options_.UrlOf(endpoint);
  Restart();
  return Set(easy_.get(), CURLOPT_URL, url_.c_str()) && SetMethod(request) &&
         SetHeaders(request, endpoint);
}

void CurlTransfer::Restart() {
  error_[0] = '\0';
  connection_ = nullptr;
  placed_ = responded_ = displaced_ = header_too_large_ = false;
  head_ = {};
  header_bytes_ = received_bytes_ = 0;
  http_version_ = 1;
  overflowed_ = awaits_look_ = paused_ = false;
}

bool CurlTransfer::SetMethod(const HttpRequest& request) {
  CURL* const easy = easy_.get();
  if (request.method == "HEAD") {
    return Set(easy, CURLOPT_CUSTOMREQUEST, static_cast<char*>(nullptr)) &&
           Set(easy, CURLOPT_NOBODY, 1L);
  }
  // HTTPGET also undoes a POST and a HEAD of the request before.
  if (!Set(easy, CURLOPT_HTTPGET, 1L)) return false;
  if (request.body != nullptr || MeansBody(request.method)) {
    const absl::string_view body = request.body == nullptr ? "" : absl::string_view(*request.body);
    if (!Set(easy, CURLOPT_POST, 1L) || !Set(easy, CURLOPT_POSTFIELDS, body.data()) ||
        !Set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()))) {
      return false;
    }
  } else if (request.method == "GET") {
    return Set(easy, CURLOPT_CUSTOMREQUEST, static_cast<char*>(nullptr));
  }
  return Set(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
}

bool CurlTransfer::SetHeaders(const HttpRequest& request, const Endpoint& endpoint) {
  lines_.clear();
  const http::Headers& headers = request.headers;
  for (const http::Header& header : headers) {
    if (IsFraming(header.name)) continue;
    // An empty value has a notation of its own: otherwise it means "do not send".
    AddHeaderLine(header.value.empty() ? absl::StrCat(header.name, ";")
                                       : absl::StrCat(header.name, ": ", header.value));
  }
  // What curl would add by itself.
  if (!headers.Get("accept")) AddHeaderLine("accept:");
  if (request.body != nullptr || MeansBody(request.method)) {
    AddHeaderLine("expect:");
    if (!headers.Get("content-type")) AddHeaderLine("content-type:");
  }
  if (options_.needs_host() && !headers.Get("host")) {
    AddHeaderLine(absl::StrCat("host: ", endpoint.authority));
  }
  list_.resize(lines_.size());
  for (size_t i = 0; i < lines_.size(); ++i) {
    list_[i] = {.data = lines_[i].data(), .next = i + 1 < lines_.size() ? &list_[i + 1] : nullptr};
  }
  return Set(easy_.get(), CURLOPT_HTTPHEADER, list_.data());
}

void CurlTransfer::Reset() {
  timer_.Cancel();
  transfer_.reset();
  connection_ = nullptr;
  announced_ = false;
  news_.data.clear();
  news_.head.reset();
}

void CurlTransfer::DropPaused() {
  if (!paused_) return;
  dropping_ = true;
  curl_easy_pause(easy_.get(), CURLPAUSE_CONT);
  dropping_ = false;
}

void CurlTransfer::Deliver() {
  announced_ = false;
  transfer_->Deliver(news_);
}

void CurlTransfer::End(absl::Status end) {
  news_.end = std::move(end);
  Deliver();
}

bool CurlTransfer::sent() const {
  long size = 0;  // NOLINT: curl's type
  curl_easy_getinfo(easy_.get(), CURLINFO_REQUEST_SIZE, &size);
  return placed_ && size > 0;
}

CurlOutcome CurlTransfer::OutcomeOf(CURLcode code) const {
  CurlOutcome outcome = {.code = code,
                         .text = error_.data(),
                         .placed = placed_,
                         .responded = responded_,
                         .http_version = head_.http_version,
                         .authority = options_.authority(),
                         .tls_name = options_.tls_name()};
  long value = 0;  // NOLINT: curl's type
  if (curl_easy_getinfo(easy_.get(), CURLINFO_OS_ERRNO, &value) == CURLE_OK) {
    outcome.os_error = static_cast<int>(value);
  }
  if (!options_.connection().proxy_url.empty()) {
    curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &outcome.proxy_status);
  }
  return outcome;
}

absl::Status CurlTransfer::StatusOf(CURLcode code) const {
  if (header_too_large_) {
    return MakeTransportError(
        {.kind = TransportErrorKind::kProtocol},
        absl::StrCat("receive from ", options_.authority(), ": the header is too large"));
  }
  if (displaced_) {
    return MakeTransportError(
        {.kind = TransportErrorKind::kLost},
        absl::StrCat("await response of ", options_.authority(), ": the server closes"));
  }
  return code == CURLE_OK ? absl::OkStatus() : ErrorOf(OutcomeOf(code));
}

void CurlTransfer::Announce() {
  if (std::exchange(announced_, true)) return;
  observer_.OnNews(*this);
}

// When curl (before 8.1) has more of a stream of HTTP/2 than its buffer holds, it hands out the
// rest when the socket has more, which may be never. Asked again it hands it out, but not the end
// of the stream, if that was at the end of it: that it notices with the next frame of whatever
// stream. It takes a whole buffer at once, read while it looked for data of another stream.
// (cf_h2_recv)
bool CurlTransfer::MayHaveMore() {
  const size_t received = std::exchange(received_bytes_, 0);
  awaits_look_ = false;
  if (!responded_ || paused_ || http_version_ < 2 || !HasLimitedBuffer()) return false;
  timer_.Cancel();
  const bool overflowed = overflowed_;
  overflowed_ = awaits_look_ = received >= buffer_bytes_ || (overflowed && received > 0);
  if (overflowed && !overflowed_) timer_.Set(timer_.loop().now() + lost_after_);
  return overflowed_;
}

void CurlTransfer::CountReceived(size_t bytes) {
  received_bytes_ += bytes;
  if (!std::exchange(awaits_look_, true)) connection_->OnReceived(*this);
}

// ---- Callbacks

int CurlTransfer::OnPrepared(void* self, char*, char*, int, int) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(self);
  // A second time: curl would send it again because the connection has gone. It is not for curl to
  // say whether that may be done.
  if (transfer.placed_) return CURL_PREREQFUNC_ABORT;
  transfer.placed_ = true;
  const absl::Duration timeout = transfer.transfer_->request().header_timeout;
  if (timeout != absl::InfiniteDuration()) {
    transfer.timer_.Set(transfer.timer_.loop().now() + timeout);
  }
  transfer.observer_.OnPlaced(transfer);
  return CURL_PREREQFUNC_OK;
}

size_t CurlTransfer::OnHeader(char* data, size_t size, size_t count, void* self) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(self);
  const size_t bytes = size * count;
  transfer.header_bytes_ += bytes;
  if (transfer.header_bytes_ > transfer.max_header_bytes_) {
    transfer.header_too_large_ = true;
    return 0;
  }
  if (!transfer.TakeHeaderLine(absl::string_view(data, bytes))) return 0;
  transfer.CountReceived(bytes);
  return bytes;
}

bool CurlTransfer::TakeHeaderLine(absl::string_view line) {
  if (responded_) return true;  // a trailer
  absl::ConsumeSuffix(&line, "\n");
  absl::ConsumeSuffix(&line, "\r");
  if (absl::StartsWith(line, "HTTP/")) {
    TakeStatusLine(line);
    return true;
  }
  if (!line.empty()) {
    const size_t colon = line.find(':');
    if (colon == absl::string_view::npos) return true;
    head_.headers.Add(line.substr(0, colon), absl::StripAsciiWhitespace(line.substr(colon + 1)));
    return true;
  }
  if (head_.status < 200) return true;  // 1xx: the real one follows
  responded_ = true;
  timer_.Cancel();
  observer_.OnHead(*this, head_.http_version);
  news_.head = std::move(head_);
  Announce();
  return true;
}

// "HTTP/1.1 200 OK", "HTTP/2 200"
void CurlTransfer::TakeStatusLine(absl::string_view line) {
  const size_t space = line.find(' ');
  http_version_ = absl::StartsWith(line, "HTTP/2") ? 2 : 1;
  head_ = {.http_version = http_version_};
  if (space == absl::string_view::npos ||
      !absl::SimpleAtoi(line.substr(space + 1, 3), &head_.status)) {
    head_.status = 0;
  }
}

size_t CurlTransfer::OnData(char* data, size_t size, size_t count, void* self) {
  CurlTransfer& transfer = *static_cast<CurlTransfer*>(self);
  const size_t bytes = size * count;
  if (transfer.dropping_) return bytes;
  transfer.CountReceived(bytes);
  transfer.news_.data.append(data, bytes);
  transfer.Announce();
  if (!transfer.transfer_->Reserve(bytes) && !std::exchange(transfer.paused_, true)) {
    transfer.overflowed_ = true;  // what comes meanwhile is not seen
    transfer.spoilt_ = true;
    transfer.observer_.OnPaused();
    // Not CURL_WRITEFUNC_PAUSE, with which curl keeps these bytes too: see is_spoilt.
    curl_easy_pause(transfer.easy(), CURLPAUSE_RECV);
  }
  return bytes;
}

}  // namespace kube::rest::internal
