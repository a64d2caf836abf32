package main

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// How many lines a container has written, and how many it writes while somebody follows its log.
const (
	oldLines = 100
	newLines = 3
)

// serveLogs serves a kubelet's logs of a container: lines with numbers, of which clients that follow get some later. It knows
// follow, tailLines, limitBytes and previous, and no times.
func serveLogs(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if isSet(query, "previous") {
		http.Error(w, fmt.Sprintf("previous terminated container %q in pod %q not found", r.PathValue("container"),
			r.PathValue("pod")), http.StatusBadRequest)
		return
	}
	first := 0
	if tail, err := strconv.Atoi(query.Get("tailLines")); err == nil {
		first = max(0, oldLines-tail)
	}
	left := 1 << 30
	if limit, err := strconv.Atoi(query.Get("limitBytes")); err == nil {
		left = limit
	}
	write := func(i int) {
		line := fmt.Sprintf("%s line %d\n", r.PathValue("container"), i)
		line = line[:min(len(line), left)]
		left -= len(line)
		_, _ = w.Write([]byte(line))
	}
	for i := first; i < oldLines; i++ {
		write(i)
	}
	if !isSet(query, "follow") {
		return
	}
	for i := oldLines; i < oldLines+newLines; i++ {
		w.(http.Flusher).Flush()
		time.Sleep(50 * time.Millisecond)
		write(i)
	}
}
