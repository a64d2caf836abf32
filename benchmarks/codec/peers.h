// Peers in C++. Each measures what it supports, prints the report, and exits with a message if it
// fails.
#ifndef BENCHMARKS_CODEC_PEERS_H_
#define BENCHMARKS_CODEC_PEERS_H_

#include "benchmarks/codec/records.h"

namespace kube::benchmarks {

// protobuf's own classes, with each pod on the heap or in an arena of its own. One arena for all
// pods would be cheaper, but a cache could not free single pods. decode_list uses one arena for its
// list.
void MeasureProtobuf(const Records& records);
void MeasureProtobufArena(const Records& records);

// simdjson reads every value but makes no objects: a lower bound for libraries that do. Its parser
// is reused for all pods. The memory is that of one DOM per pod.
void MeasureSimdjson(const Records& records);
void MeasureSimdjsonOnDemand(const Records& records);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CODEC_PEERS_H_
