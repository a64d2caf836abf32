#ifndef CLIENTSET_RECORDING_LOAD_H_
#define CLIENTSET_RECORDING_LOAD_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "clientset/recording/exchange.h"

namespace kube::recording {

// Parses the text of a recording, such as MemorySink::text. A text may hold several recordings, one
// after the other, as a file does after several runs; their exchanges follow each other. A last
// line without "\n" is ignored: the program was killed while it was written.
//
// Returns INVALID_ARGUMENT if a line is not one of a recording: `NAME:LINE: CAUSE`. Thread-safe.
absl::StatusOr<Recording> ParseRecording(absl::string_view text,
                                         absl::string_view name = "recording");

// Reads a recording from a file. Returns the errors of ParseRecording with the path as the name,
// and NOT_FOUND or another error with path and cause if the file cannot be read. Blocks while it
// reads.
absl::StatusOr<Recording> LoadRecording(const std::string& path);

}  // namespace kube::recording

#endif  // CLIENTSET_RECORDING_LOAD_H_
