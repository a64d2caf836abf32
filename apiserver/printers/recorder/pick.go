package main

import (
	"fmt"
	"regexp"
)

// How many records of a kind are worth keeping, if there is that much to see.
var limits = map[string]int{"Pod": 70, "HorizontalPodAutoscaler": 30, "Service": 20, "Job": 20, "Node": 20, "Event": 14, "Ingress": 14}

const (
	usualLimit  = 8
	sizeLimit   = 3000
	startOfSize = 300 // what a line costs whatever its object is
)

var (
	digits = regexp.MustCompile(`[0-9]+`)
	age    = regexp.MustCompile(`^9[smhdy].*`)
)

// features are what a record has to show: texts of cells but for their numbers.
func features(r record) map[string]bool {
	found := map[string]bool{}
	if r.Error != "" {
		found["error"] = true
	}
	for i, cell := range r.Cells {
		text := age.ReplaceAllString(digits.ReplaceAllString(fmt.Sprint(cell), "9"), "age")
		found[fmt.Sprintf("%d %T %.60s", i, cell, text)] = true
	}
	for _, condition := range r.Conditions {
		found[condition] = true
	}
	return found
}

// pick takes the first record, then always the one with most to show that none before has, for its size.
func pick(records []record) []record {
	limit := usualLimit
	if more, ok := limits[records[0].Kind]; ok {
		limit = more
	}
	all := make([]map[string]bool, len(records))
	for i, r := range records {
		all[i] = features(r)
	}
	picked, seen := records[:1:1], all[0]
	for len(picked) < limit {
		best, worth := 0, 0.0
		for i, r := range records {
			news := 0
			for feature := range all[i] {
				if !seen[feature] {
					news++
				}
			}
			if w := float64(news) / float64(startOfSize+len(r.Object)); w > worth && len(r.Object) < sizeLimit {
				best, worth = i, w
			}
		}
		if worth == 0 {
			break
		}
		picked = append(picked, records[best])
		for feature := range all[best] {
			seen[feature] = true
		}
	}
	return picked
}
