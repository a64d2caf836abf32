#ifndef NET_HTTP_HTTP1_READER_H_
#define NET_HTTP_HTTP1_READER_H_

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "net/http/headers.h"

namespace kube::http {

// Reads HTTP/1 messages from a stream of bytes, one at a time, for clients and servers. It is
// llhttp with a limit on headers, and with checks of RFC 9112 that llhttp does not make.
// Thread-compatible.
class Http1Reader {
 public:
  enum class Kind { kRequests, kResponses };

  // The start line and the header of a message.
  struct Head {
    std::string method = {};  // of a request
    std::string target = {};
    int status = 0;  // of a response
    int major = 0;
    int minor = 0;
    Headers headers = {};
    bool chunked = false;
    uint64_t content_length = 0;  // zero if there is no content-length
  };

  // How the message continues after its head.
  enum class Body {
    kRead,  // a body as the header says
    kNone,  // no body, whatever the header says
    kStop,  // refuse the message; nothing more is read
  };

  // Receives the parts of a message. Called from within Read; the methods must not call the reader.
  class Events {
   public:
    virtual ~Events() = default;
    virtual void OnBegin() = 0;
    virtual Body OnHead(Head head) = 0;
    // Returns false to refuse the message, as Body::kStop.
    virtual bool OnBody(absl::string_view piece) = 0;
    // The message is complete. Read returns; call Next for the following message.
    virtual void OnEnd() = 0;
  };

  // Why a message cannot be read. kStopped: Events refused it. kHeader: an invalid name or value.
  enum class Mistake { kNone, kStopped, kMalformed, kVersion, kHeaderTooLong, kHeader };

  // `max_header_bytes` limits a header, including trailers. `events` must outlive the reader.
  Http1Reader(Kind kind, size_t max_header_bytes, Events& events);
  Http1Reader(const Http1Reader&) = delete;
  Http1Reader& operator=(const Http1Reader&) = delete;

  // Reads up to the end of a message or a mistake, and returns the number of bytes consumed.
  size_t Read(absl::string_view bytes);
  // Says that no more bytes come, which ends a response without a length.
  void EndOfInput() { llhttp_finish(&parser_); }
  // Prepares for the next message, after OnEnd.
  void Next();

  // Returns whether the connection may be reused after the current message. Valid from OnHead on;
  // for a response it is final only at its end.
  bool keep_alive() const { return llhttp_should_keep_alive(&parser_) != 0; }

  Mistake mistake() const { return mistake_; }
  // Returns llhttp's description, such as "Invalid method encountered".
  const std::string& reason() const { return reason_; }
  size_t header_bytes() const { return header_bytes_; }

 private:
  template <int (Http1Reader::*Method)(absl::string_view)>
  static int Data(llhttp_t* parser, const char* data, size_t size);
  template <int (Http1Reader::*Method)()>
  static int Event(llhttp_t* parser);
  static const llhttp_settings_t& Settings();

  int OnBegin();
  int OnUrl(absl::string_view part);
  int OnField(absl::string_view part);
  int OnValue(absl::string_view part);
  int OnHeadersComplete();
  int OnBody(absl::string_view part);
  int OnComplete();

  // Each of these returns HPE_OK, or notes a mistake and returns HPE_USER.
  int CountHeader(size_t bytes);
  int EndHeader();
  int Fail(Mistake mistake);

  const Kind kind_;
  const size_t max_header_bytes_;
  Events& events_;
  llhttp_t parser_;
  Head head_;
  std::string field_;
  std::string value_;
  bool in_value_ = false;
  bool in_body_ = false;
  size_t header_bytes_ = 0;
  Mistake mistake_ = Mistake::kNone;
  std::string reason_;
};

}  // namespace kube::http

#endif  // NET_HTTP_HTTP1_READER_H_
