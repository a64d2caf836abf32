// The data set M: objects of eight kinds in turn.
#ifndef BENCHMARKS_CODEC_MIXED_H_
#define BENCHMARKS_CODEC_MIXED_H_

#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "benchmarks/codec/records.h"

namespace kube::benchmarks {

// Measures the objects and prints the report. The modes are those of ours_main.cc except
// "projected". Exits if an object is not encoded as it was decoded.
void MeasureMixed(const Records& records, codec::Encoding encoding, absl::string_view mode);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CODEC_MIXED_H_
