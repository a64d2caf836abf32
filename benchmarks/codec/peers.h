// Peers in C++. Each measures all that it can do, prints the report, and ends the program with a
// message where it fails.
#ifndef BENCHMARKS_CODEC_PEERS_H_
#define BENCHMARKS_CODEC_PEERS_H_

#include "benchmarks/codec/records.h"

namespace kube::benchmarks {

// protobuf's own classes: each pod on the heap, or each in an arena of its own. An arena for all
// would be cheaper, but then a cache could free none of them; decode_list has one for its list.
void MeasureProtobuf(const Records& records);
void MeasureProtobufArena(const Records& records);

// simdjson reads every value, and makes no objects of ours: a lower bound for those that do. Its
// parser is used again for each pod. The memory is that of a DOM kept for each pod.
void MeasureSimdjson(const Records& records);
void MeasureSimdjsonOnDemand(const Records& records);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CODEC_PEERS_H_
