#ifndef APIMACHINERY_CODEC_CONTENT_TYPE_H_
#define APIMACHINERY_CODEC_CONTENT_TYPE_H_

namespace kube::codec {

// The encoding of a request or response body.
enum class ContentType {
  kJson,      // application/json
  kProtobuf,  // application/vnd.kubernetes.protobuf, with its envelope
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_CONTENT_TYPE_H_
