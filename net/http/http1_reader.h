#ifndef NET_HTTP_HTTP1_READER_H_
#define NET_HTTP_HTTP1_READER_H_

#include <llhttp.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "net/http/headers.h"

namespace kube::http {

// Takes messages of HTTP/1 out of a stream of bytes, one at a time, for both sides: llhttp with a
// limit, and with what it lets pass although RFC 9112 does not. Thread-compatible.
class Http1Reader {
 public:
  enum class Kind { kRequests, kResponses };

  // What a message begins with.
  struct Head {
    std::string method = {};  // of a request
    std::string target = {};
    int status = 0;  // of a response
    int major = 0;
    int minor = 0;
    Headers headers = {};
    bool chunked = false;
    uint64_t content_length = 0;  // if the header says so
  };

  // What a caller wants after a head.
  enum class Body {
    kRead,  // as the header says
    kNone,  // there is none, whatever the header says
    kStop,  // the message is refused: nothing more is read
  };

  // Called from within Read.
  class Events {
   public:
    virtual ~Events() = default;
    virtual void OnBegin() = 0;
    virtual Body OnHead(Head head) = 0;
    // False: stop, as above.
    virtual bool OnBody(absl::string_view piece) = 0;
    // Nothing more is read until Next.
    virtual void OnEnd() = 0;
  };

  // What came is no message that anybody wants, or none at all.
  enum class Mistake { kNone, kStopped, kMalformed, kVersion, kHeaderTooLong, kHeader };

  // At most so many bytes of a header, trailers counted with it. `events` outlives this.
  Http1Reader(Kind kind, size_t max_header_bytes, Events& events);
  Http1Reader(const Http1Reader&) = delete;
  Http1Reader& operator=(const Http1Reader&) = delete;

  // Takes bytes until the end of a message or a mistake, and returns how many.
  size_t Read(absl::string_view bytes);
  // No more bytes come: the end of a response without a length.
  void EndOfInput() { llhttp_finish(&parser_); }
  // Ready for the next message, after OnEnd.
  void Next();

  // Whether the connection may be used again after the message that is read. From OnHead on; of a
  // response it is certain at its end.
  bool keep_alive() const { return llhttp_should_keep_alive(&parser_) != 0; }

  Mistake mistake() const { return mistake_; }
  // What llhttp says of it: "Invalid method encountered".
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

  // All of these: HPE_OK, or a mistake.
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
