#ifndef APIMACHINERY_CODEC_CONTENT_TYPE_H_
#define APIMACHINERY_CODEC_CONTENT_TYPE_H_

namespace kube::codec {

// How a body is encoded.
enum class ContentType {
  kJson,      // application/json
  kProtobuf,  // application/vnd.kubernetes.protobuf: in its envelope
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_CONTENT_TYPE_H_
